import type { Draft } from "../draft.ts";
import type { Random } from "../random.ts";
import { BubblegumTree } from "./bubblegum-tree.ts";
import { tokenAccountsOf } from "./simulation-pool.ts";

/** The one tree of a simulated chain. */
export const TREE_NUMBER = 1;
const LEAVES_ASKED_MAX = 12;

/** Addresses to ask a simulated chain for. */
export class SampleAddresses {
  readonly #pool: readonly Draft[];
  readonly #masterMint: Uint8Array;

  constructor(pool: readonly Draft[], masterMint: Uint8Array) {
    this.#pool = pool;
    this.#masterMint = masterMint;
  }

  /** An address that some fork writes, or will. */
  address(random: Random): Uint8Array {
    return this.#pool[random.below(this.#pool.length)]!.address;
  }

  /** Someone who owns a token account at first, or a pool address, which later ones belong to. */
  owner(random: Random): Uint8Array {
    return this.#oneOf(
      tokenAccountsOf(this.#pool).map(({ data }) => data.subarray(32, 64)),
      random,
    );
  }

  delegate(random: Random): Uint8Array {
    const delegates = tokenAccountsOf(this.#pool).flatMap(({ data }) =>
      data[72] === 1 ? [data.subarray(76, 108)] : [],
    );
    return this.#oneOf(delegates, random);
  }

  /** A compressed asset that some fork has, or will. */
  leaf(random: Random): Uint8Array {
    return new BubblegumTree(TREE_NUMBER).idOf(random.below(LEAVES_ASKED_MAX));
  }

  /** The mint of a master edition, or of anything else. */
  masterMint(random: Random): Uint8Array {
    return random.percent(70) ? this.#masterMint : this.address(random);
  }

  #oneOf(addresses: readonly Uint8Array[], random: Random): Uint8Array {
    return random.percent(50)
      ? (addresses[random.below(addresses.length)] ?? this.address(random))
      : this.address(random);
  }
}
