import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import type { Draft } from "../draft.ts";
import { clockAccount } from "../parts/runtime.ts";
import type { Random } from "../random.ts";
import { changeAccount } from "./change-account.ts";
import type { SimulatedBlock } from "./simulated-block.ts";
import { onePerAddress } from "./simulation-pool.ts";

const CLOCK_JUMP_DAYS_MAX = 2000;
const DAY_SECONDS = 86_400;

export interface BlockWriterOptions {
  readonly random: Random;
  readonly pool: readonly Draft[];
  readonly writesPerBlock: number;
  readonly firstSlot: Slot;
  /** Undefined where a slot has no block. */
  readonly block: (slot: Slot) => SimulatedBlock | undefined;
}

/** Makes what blocks write: accounts of the pool, and changes of those that exist on the block's fork. */
export class BlockWriter {
  /** Accounts that exist before the first block. */
  readonly genesis: readonly Account[];
  readonly #options: BlockWriterOptions;
  #pooled: number;
  #writeVersion = 0;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
    const { pool, firstSlot } = options;
    this.#pooled = Math.floor(pool.length / 3);
    this.genesis = onePerAddress(pool.slice(0, this.#pooled)).map((draft) => this.#write(draft, firstSlot));
  }

  /** In their order; an address may be written several times. */
  makeWrites(slot: Slot, parent: Slot): Account[] {
    const { random, pool, writesPerBlock } = this.#options;
    const writes: Account[] = [];
    const now = new Map<string, Account>();
    const count = random.between(0, writesPerBlock * 2);
    for (let index = 0; index < count; index += 1) {
      const draft = random.percent(45) ? this.#fromPool() : this.#changed(parent, now, pool);
      if (draft === null) continue;
      const account = this.#write(draft, slot);
      writes.push(account);
      now.set(encodeAddress(account.address), account);
    }
    return writes;
  }

  /** The runtime writes the clock in every slot; here it sometimes leaps, so that locks end and begin again. */
  makeClock(slot: Slot): Account {
    const { random } = this.#options;
    const days = random.percent(30) ? random.between(-CLOCK_JUMP_DAYS_MAX, CLOCK_JUMP_DAYS_MAX) : 0;
    return this.#write(clockAccount(slot, BigInt(days * DAY_SECONDS)), slot);
  }

  /** Something that did not exist yet, or an earlier version of something that does. */
  #fromPool(): Draft | null {
    const { random, pool } = this.#options;
    if (this.#pooled < pool.length && random.percent(70)) {
      this.#pooled += 1;
      return pool[this.#pooled - 1]!;
    }
    return pool[random.below(pool.length)] ?? null;
  }

  #changed(parent: Slot, now: ReadonlyMap<string, Account>, pool: readonly Draft[]): Draft | null {
    const { random } = this.#options;
    const some = pool[random.below(this.#pooled)];
    if (some === undefined) return null;
    const account = now.get(encodeAddress(some.address)) ?? this.#find(some.address, parent);
    return account === null || account.lamports === 0n ? null : changeAccount(account, pool, random);
  }

  #find(address: Uint8Array, slot: Slot): Account | null {
    let at = slot;
    for (;;) {
      const block = this.#options.block(at);
      const writes = block?.writes ?? this.genesis;
      const found = writes.findLast((account) => Buffer.compare(account.address, address) === 0);
      if (found !== undefined || block === undefined) return found ?? null;
      at = block.parent;
    }
  }

  #write(draft: Draft, slot: Slot): Account {
    this.#writeVersion += 1;
    return { ...draft, slot, writeVersion: this.#writeVersion };
  }
}
