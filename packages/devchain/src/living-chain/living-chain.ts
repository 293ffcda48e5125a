import type { Slot } from "@lamplight/core";
import { ChainWorld } from "../chain-world/chain-world.ts";
import type { AssetKind } from "../chain-world/mint-input.ts";
import type { WorldSlot } from "../chain-world/slots.ts";
import type { Wallet } from "../chain-world/wallet.ts";
import { Random } from "../random.ts";
import { type LivingCollection, nameOf, populate } from "./population.ts";

export interface LivingChainOptions {
  /** 0 to 2^32 - 1: the same seed gives the same slots. */
  readonly seed: number;
  readonly firstSlot?: Slot;
}

const ACTION_STREAM = 200;
/** Beyond this many living assets, burns replace mints. */
const ASSETS_MAX = 2000;
const ASSETS_MIN = 20;
const ACTIONS_PER_SLOT_MAX = 3;

/** Actions that may happen, with their shares in percent. */
const shares = { sale: 45, mint: 20, burn: 8, payment: 17, listing: 6, update: 4 } as const;
type Action = keyof typeof shares;

/**
 * A chain that goes on by itself: assets of every kind are minted, sold and burnt, all from one seed. The first slot holds
 * what is there before.
 */
export class LivingChain {
  readonly world: ChainWorld;
  readonly wallets: readonly Wallet[];
  readonly collections: readonly LivingCollection[];
  /** Ids of the fungible tokens. */
  readonly tokens: readonly string[];
  readonly #seed: number;
  /** Assets that are not burnt; fungibles are not among them. */
  readonly #living: string[];
  #slots = 0;
  #minted: number;

  constructor({ seed, firstSlot }: LivingChainOptions) {
    this.#seed = seed;
    this.world = new ChainWorld({ seed, ...(firstSlot === undefined ? {} : { firstSlot }) });
    const { wallets, collections, tokens, assets } = populate(this.world);
    this.wallets = wallets;
    this.collections = collections;
    this.tokens = tokens;
    this.#living = [...assets];
    this.#minted = assets.length;
  }

  /** Ids of the assets that are not burnt, without fungibles. */
  get living(): readonly string[] {
    return this.#living;
  }

  /** The next slot. Some have nothing but the clock. */
  next(): WorldSlot {
    // The first slot is the population.
    if (this.#slots > 0) {
      const random = new Random(this.#seed, ACTION_STREAM, this.#slots);
      const count = random.below(ACTIONS_PER_SLOT_MAX + 1);
      for (let index = 0; index < count; index += 1) this.#act(this.#choose(random), random);
    }
    this.#slots += 1;
    return this.world.takeSlot();
  }

  #choose(random: Random): Action {
    let rest = random.below(100);
    for (const action of Object.keys(shares) as Action[]) {
      if (rest < shares[action]) return action;
      rest -= shares[action];
    }
    return "sale";
  }

  #act(action: Action, random: Random): void {
    const { world } = this;
    switch (action) {
      case "mint":
        if (this.#living.length < ASSETS_MAX) return this.#mint(random);
        return this.#burn(random);
      case "burn":
        if (this.#living.length > ASSETS_MIN) return this.#burn(random);
        return this.#mint(random);
      case "sale":
        return world.transfer(this.#someAsset(random), this.#someWallet(random));
      case "listing":
        return world.delegate(this.#someAsset(random), world.wallet("marketplace"));
      case "update":
        return world.update(this.#someAsset(random), {
          description: `Seen in slot ${world.nextSlot}.`,
        });
      case "payment": {
        const [from, to] = [this.#someWallet(random), this.#someWallet(random)];
        const token = this.tokens[random.below(this.tokens.length)]!;
        return world.mintAmount(token, random.percent(50) ? from : to, random.between(1, 1_000_000));
      }
      default:
        return action satisfies never;
    }
  }

  #mint(random: Random): void {
    this.#minted += 1;
    const { kinds, name, collection } = this.collections[random.below(this.collections.length)]!;
    const kind: AssetKind = kinds[random.below(kinds.length)]!;
    const owner = this.#someWallet(random);
    const attributes = { number: this.#minted, light: random.percent(50) ? "warm" : "cold" };
    this.#living.push(
      this.world.mint({ kind, owner, collection, name: nameOf(name, this.#minted), attributes }),
    );
  }

  #burn(random: Random): void {
    const index = random.below(this.#living.length);
    const [id] = this.#living.splice(index, 1);
    this.world.burn(id!);
  }

  #someAsset(random: Random): string {
    return this.#living[random.below(this.#living.length)]!;
  }

  #someWallet(random: Random): Wallet {
    return this.wallets[random.below(this.wallets.length)]!;
  }
}
