import { encodeAddress } from "@lamplight/codecs";
import type { Account, ChainEvent, Slot } from "@lamplight/core";
import type { Draft } from "../draft.ts";
import { clockAccount } from "../parts/runtime.ts";
import { Random } from "../random.ts";
import { BubblegumTree } from "./bubblegum-tree.ts";
import { changeAccount } from "./change-account.ts";
import { changeLeaves } from "./change-leaves.ts";
import type { SimulatedBlock } from "./simulated-block.ts";
import { ancestorOf, blockEvents, interleave, replayEvents } from "./emit-block.ts";
import { masterMintOf, onePerAddress, poolOf, tokenAccountsOf } from "./simulation-pool.ts";

export interface SimulationOptions {
  /** 0 to 2^32 - 1: the same seed gives the same chain and the same faults. */
  readonly seed: number;
  /** Writes of an average block; default 12. */
  readonly writesPerBlock?: number;
  readonly firstSlot?: Slot;
  /** Also compressed leaves, and slots and a clock that jump; default no. */
  readonly isChaotic?: boolean;
}

const stream = { chain: 101, pool: 102 } as const;
const TREE_NUMBER = 1;
const LEAVES_ASKED_MAX = 12;
/** Depth of forks and of the way from head to root: small, so that a short run sees many roots. */
const FORK_DEPTH_MAX = 6;
const CONFIRM_DEPTH_MAX = 4;
const FINALIZE_DEPTH_MAX = 7;
/** Slots that no one led, at most, and how far the clock may be from where slots would have it. */
const SLOT_JUMP_MAX = 5000;
const CLOCK_JUMP_DAYS_MAX = 2000;
const DAY_SECONDS = 86_400;

/**
 * A chain that forks, skips, dies, is confirmed and finalized, all from one seed. `next` shows what a node would report
 * of the next step; `replay` shows what it would report a client that comes back; `equivocate` puts another block in the
 * place of one that was reported. Blocks are kept until forgotten.
 */
export class ChainSimulation {
  readonly genesis: {
    readonly slot: Slot;
    readonly blockhash: string;
    readonly accounts: readonly Account[];
  };
  readonly #random: Random;
  readonly #pool: readonly Draft[];
  readonly #masterMint: Uint8Array;
  readonly #writesPerBlock: number;
  readonly #isChaotic: boolean;
  /** Of the chain as it is now, on all forks. */
  readonly #blocks = new Map<Slot, SimulatedBlock>();
  /** Every block there ever was. */
  readonly #byHash = new Map<string, SimulatedBlock>();
  /** The tree of compressed leaves after each block. */
  readonly #trees = new Map<string, BubblegumTree>();
  #highest: Slot;
  #head: Slot;
  #confirmed: Slot;
  #finalized: Slot;
  #pooled: number;
  #writeVersion = 0;

  constructor({ seed, writesPerBlock = 12, firstSlot = 1000, isChaotic = false }: SimulationOptions) {
    this.#isChaotic = isChaotic;
    this.#random = new Random(seed, stream.chain, 0);
    this.#writesPerBlock = writesPerBlock;
    this.#pool = poolOf(seed);
    this.#masterMint = masterMintOf(seed);
    this.#pooled = Math.floor(this.#pool.length / 3);
    const accounts = onePerAddress(this.#pool.slice(0, this.#pooled)).map((draft) =>
      this.#write(draft, firstSlot),
    );
    this.genesis = { slot: firstSlot, blockhash: this.#blockhash(), accounts };
    this.#highest = firstSlot;
    this.#head = firstSlot;
    this.#confirmed = firstSlot;
    this.#finalized = firstSlot;
  }

  get finalized(): Slot {
    return this.#finalized;
  }

  get confirmed(): Slot {
    return this.#confirmed;
  }

  block(slot: Slot): SimulatedBlock | undefined {
    return this.#blocks.get(slot);
  }

  /** A block by its hash, though another one may have taken its place. */
  blockOf(blockhash: string): SimulatedBlock | undefined {
    return this.#byHash.get(blockhash);
  }

  /** Blocks from the one after `root` (genesis at the lowest) up to `slot`; null when it does not build on it. */
  pathTo(slot: Slot, root: Slot = this.genesis.slot): readonly SimulatedBlock[] | null {
    const path: SimulatedBlock[] = [];
    let at = slot;
    while (at > root) {
      const block = this.#blocks.get(at);
      if (block === undefined) return null;
      path.unshift(block);
      at = block.parent;
    }
    return at === root ? path : null;
  }

  /** An address that some fork writes, or will. */
  someAddress(random: Random): Uint8Array {
    return this.#pool[random.below(this.#pool.length)]!.address;
  }

  /** Someone who owns a token account at first, or a pool address, which later ones belong to. */
  someOwner(random: Random): Uint8Array {
    const owners = tokenAccountsOf(this.#pool).map(({ data }) => data.subarray(32, 64));
    return random.percent(50)
      ? (owners[random.below(owners.length)] ?? this.someAddress(random))
      : this.someAddress(random);
  }

  someDelegate(random: Random): Uint8Array {
    const delegates = tokenAccountsOf(this.#pool).flatMap(({ data }) =>
      data[72] === 1 ? [data.subarray(76, 108)] : [],
    );
    return random.percent(50)
      ? (delegates[random.below(delegates.length)] ?? this.someAddress(random))
      : this.someAddress(random);
  }

  /** A compressed asset that some fork has, or will. */
  someLeaf(random: Random): Uint8Array {
    return new BubblegumTree(TREE_NUMBER).idOf(random.below(LEAVES_ASKED_MAX));
  }

  /** The mint of a master edition, or of anything else. */
  someMasterMint(random: Random): Uint8Array {
    return random.percent(70) ? this.#masterMint : this.someAddress(random);
  }

  /** The next block or two at once, and what the chain agrees on after them. */
  next(): readonly ChainEvent[] {
    const count = this.#random.percent(20) ? 2 : 1;
    const reported = Array.from({ length: count }, () => blockEvents(this.#makeBlock(), this.#random));
    return [...interleave(reported, this.#random), ...this.#agree()];
  }

  /** Everything from a slot on that a node still reports, as complete slots in order; then what was agreed on. */
  replay(from: Slot): readonly ChainEvent[] {
    const blocks = [...this.#blocks.values()]
      .filter(({ slot, isDead }) => slot >= from && !isDead)
      .toSorted((a, b) => a.slot - b.slot);
    return [{ kind: "restart" }, ...blocks.flatMap((block) => replayEvents(block)), ...this.#statuses(from)];
  }

  /** Confirms and finalizes the head, so that a run ends on one settled slot. */
  settle(): readonly ChainEvent[] {
    this.#confirmed = this.#head;
    this.#finalized = this.#head;
    return this.#statuses(this.#head);
  }

  /**
   * Puts another block in the place of one that is not confirmed, as when a leader made two; its descendants are gone.
   * What a node reports that had run the first one; a client that comes back, to this node or another, hears of the
   * other one only. Nothing where there is no such block.
   */
  equivocate(): readonly ChainEvent[] {
    const candidates = [...this.#blocks.values()].filter(
      ({ slot, isDead }) => slot > this.#confirmed && !isDead,
    );
    const victim = candidates[this.#random.below(Math.max(1, candidates.length))];
    if (victim === undefined) return [];
    const gone = candidates.filter(({ slot }) => this.pathTo(slot, victim.slot) !== null);
    for (const { slot } of gone) this.#blocks.delete(slot);
    const other = this.#makeBlockAt(victim.slot, victim.parent, false);
    if (gone.some(({ slot }) => slot === this.#head)) this.#head = victim.slot;
    const dead = gone
      .toReversed()
      .map(({ slot }): ChainEvent => ({ kind: "slot", slot, parent: null, status: "dead" }));
    return [...dead, ...blockEvents(other, this.#random)];
  }

  #makeBlock(): SimulatedBlock {
    const random = this.#random;
    const slot = this.#highest + this.#slotsOn();
    const parent = random.percent(25) ? this.#forkPoint() : this.#head;
    const isDead = random.percent(6);
    const block = this.#makeBlockAt(slot, parent, isDead);
    this.#highest = slot;
    // A new block usually becomes the head; a fork only when the others follow it.
    if (!isDead && (parent === this.#head || random.percent(40))) this.#head = slot;
    return block;
  }

  #makeBlockAt(slot: Slot, parent: Slot, isDead: boolean): SimulatedBlock {
    const parentBlockhash = this.#blocks.get(parent)?.blockhash ?? this.genesis.blockhash;
    const blockhash = this.#blockhash();
    const tree = (this.#trees.get(parentBlockhash) ?? new BubblegumTree(TREE_NUMBER)).copy();
    const block: SimulatedBlock = {
      slot,
      parent,
      blockhash,
      parentBlockhash,
      writes: [...this.#makeWrites(slot, parent), ...this.#makeClock(slot)],
      transactions: this.#isChaotic
        ? changeLeaves(tree, slot, () => this.someAddress(this.#random), this.#random)
        : [],
      isDead,
    };
    this.#blocks.set(slot, block);
    this.#byHash.set(blockhash, block);
    this.#trees.set(blockhash, tree);
    return block;
  }

  #slotsOn(): number {
    if (this.#isChaotic && this.#random.percent(3)) return this.#random.between(1, SLOT_JUMP_MAX);
    return this.#random.percent(20) ? this.#random.between(2, 5) : 1;
  }

  /** The runtime writes the clock in every slot; here it sometimes leaps, so that locks end and begin again. */
  #makeClock(slot: Slot): Account[] {
    if (!this.#isChaotic) return [];
    const days = this.#random.percent(30)
      ? this.#random.between(-CLOCK_JUMP_DAYS_MAX, CLOCK_JUMP_DAYS_MAX)
      : 0;
    return [this.#write(clockAccount(slot, BigInt(days * DAY_SECONDS)), slot)];
  }

  /** Some ancestor of the head that builds on the confirmed slot. */
  #forkPoint(): Slot {
    let at = this.#head;
    for (let depth = this.#random.between(1, FORK_DEPTH_MAX); depth > 0; depth -= 1) {
      if (at <= this.#confirmed) return at;
      at = this.#blocks.get(at)?.parent ?? at;
    }
    return Math.max(at, this.#confirmed);
  }

  #makeWrites(slot: Slot, parent: Slot): Account[] {
    const random = this.#random;
    const writes: Account[] = [];
    const now = new Map<string, Account>();
    const count = random.between(0, this.#writesPerBlock * 2);
    for (let index = 0; index < count; index += 1) {
      const draft = random.percent(45) ? this.#fromPool() : this.#changed(parent, now);
      if (draft === null) continue;
      const account = this.#write(draft, slot);
      writes.push(account);
      now.set(encodeAddress(account.address), account);
    }
    return writes;
  }

  /** Something that did not exist yet, or an earlier version of something that does. */
  #fromPool(): Draft | null {
    if (this.#pooled < this.#pool.length && this.#random.percent(70)) {
      this.#pooled += 1;
      return this.#pool[this.#pooled - 1]!;
    }
    return this.#pool[this.#random.below(this.#pool.length)] ?? null;
  }

  #changed(parent: Slot, now: ReadonlyMap<string, Account>): Draft | null {
    const some = this.#pool[this.#random.below(this.#pooled)];
    if (some === undefined) return null;
    const account = now.get(encodeAddress(some.address)) ?? this.#find(some.address, parent);
    return account === null || account.lamports === 0n
      ? null
      : changeAccount(account, this.#pool, this.#random);
  }

  #find(address: Uint8Array, slot: Slot): Account | null {
    let at = slot;
    for (;;) {
      const block = this.#blocks.get(at);
      const writes = block?.writes ?? this.genesis.accounts;
      const found = writes.findLast((account) => Buffer.compare(account.address, address) === 0);
      if (found !== undefined || block === undefined) return found ?? null;
      at = block.parent;
    }
  }

  /** Moves the confirmed and the finalized slot along the head's fork, sometimes over several slots at once. */
  #agree(): readonly ChainEvent[] {
    const events: ChainEvent[] = [];
    if (this.#random.percent(60)) {
      const slot = ancestorOf(
        this.#blocks,
        this.#head,
        this.#random.below(CONFIRM_DEPTH_MAX),
        this.#confirmed,
      );
      if (slot > this.#confirmed && this.pathTo(slot, this.#confirmed) !== null) {
        this.#confirmed = slot;
        events.push({ kind: "slot", slot, parent: null, status: "confirmed" });
      }
    }
    if (this.#random.percent(30)) {
      const slot = ancestorOf(
        this.#blocks,
        this.#confirmed,
        this.#random.below(FINALIZE_DEPTH_MAX),
        this.#finalized,
      );
      if (slot > this.#finalized) {
        this.#finalized = slot;
        events.push({ kind: "slot", slot, parent: null, status: "finalized" });
      }
    }
    return events;
  }

  #statuses(from: Slot): readonly ChainEvent[] {
    const reported = [
      { slot: this.#confirmed, status: "confirmed" },
      { slot: this.#finalized, status: "finalized" },
    ] as const;
    return reported
      .filter(({ slot }) => slot >= from && slot > this.genesis.slot)
      .map(({ slot, status }) => ({ kind: "slot", slot, parent: null, status }));
  }

  #write(draft: Draft, slot: Slot): Account {
    this.#writeVersion += 1;
    return { ...draft, slot, writeVersion: this.#writeVersion };
  }

  #blockhash(): string {
    return encodeAddress(this.#random.bytes(32));
  }
}
