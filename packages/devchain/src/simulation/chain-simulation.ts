import { encodeAddress } from "@lamplight/codecs";
import type { Account, ChainEvent, Slot } from "@lamplight/core";
import { Random } from "../random.ts";
import { BlockWriter } from "./block-writer.ts";
import { BubblegumTree } from "./bubblegum-tree.ts";
import { changeLeaves } from "./change-leaves.ts";
import type { SimulatedBlock } from "./simulated-block.ts";
import {
  abandonedEvents,
  ancestorOf,
  blockEvents,
  insertLate,
  interleave,
  replayEvents,
  withEarlyWrite,
} from "./emit-block.ts";
import { type BankNames, namedEvents } from "./name-banks.ts";
import { SampleAddresses, TREE_NUMBER } from "./sample-addresses.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { masterMintOf, poolOf } from "./simulation-pool.ts";

const stream = { chain: 101, pool: 102 } as const;
/** Depth of forks and of the way from head to root: small, so that a short run sees many roots. */
const FORK_DEPTH_MAX = 6;
const CONFIRM_DEPTH_MAX = 4;
const FINALIZE_DEPTH_MAX = 7;
/** Between the numbers that two nodes give to a bank: so small that a number is that of another bank elsewhere. */
const NUMBERS_APART = 2;
/** Slots that no one led, at most. */
const SLOT_JUMP_MAX = 5000;

/**
 * A chain that forks, skips, dies, is confirmed and finalized, all from one seed. `next` shows what a node would report
 * of the next step; `replay` shows what it would report a client that comes back; `equivocate` and `switchBank` put
 * another block in the place of one that was reported, announced and not. Blocks are kept until forgotten.
 */
export class ChainSimulation {
  readonly genesis: Pick<SimulatedBlock, "slot" | "blockhash"> & { readonly accounts: readonly Account[] };
  readonly samples: SampleAddresses;
  readonly #random: Random;
  readonly #isChaotic: boolean;
  readonly #bankNames: BankNames;
  readonly #writer: BlockWriter;
  /** Blocks of the chain as it is now, on all forks. */
  readonly #blocks = new Map<Slot, SimulatedBlock>();
  /** Every block there ever was. */
  readonly #byHash = new Map<string, SimulatedBlock>();
  readonly #byEvent = new WeakMap<ChainEvent, SimulatedBlock>();
  /** The tree of compressed leaves after each block. */
  readonly #trees = new Map<string, BubblegumTree>();
  #highest: Slot;
  #head: Slot;
  #confirmed: Slot;
  #finalized: Slot;
  /** Slots that were reported. The creation of another bank of such a slot is always reported. */
  readonly #reported = new Set<Slot>();
  #banks = 0;
  #streams = 0;

  constructor({
    seed,
    writesPerBlock = 12,
    firstSlot = 1000,
    isChaotic = false,
    bankNames = "none",
  }: SimulationOptions) {
    this.#isChaotic = isChaotic;
    this.#bankNames = bankNames;
    this.#random = new Random(seed, stream.chain, 0);
    const pool = poolOf(seed);
    this.samples = new SampleAddresses(pool, masterMintOf(seed));
    this.#writer = new BlockWriter({
      random: this.#random,
      pool,
      writesPerBlock,
      firstSlot,
      block: (slot) => this.#blocks.get(slot),
    });
    this.genesis = { slot: firstSlot, blockhash: this.#blockhash(), accounts: this.#writer.genesis };
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

  /** The block that an event was reported of, whether the event names its bank or not. */
  blockOfEvent(event: ChainEvent): SimulatedBlock | undefined {
    return this.#byEvent.get(event);
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

  /** The next block or two at once, and what the chain agrees on after them. */
  next(): readonly ChainEvent[] {
    const count = this.#random.percent(20) ? 2 : 1;
    const blocks = Array.from({ length: count }, () => this.#makeBlock());
    // No node makes a bank before it has made that of the parent again.
    const isAgain = blocks.some(({ slot }) => this.#reported.has(slot));
    const reported = blocks.map((block) => this.#report(block));
    return [...(isAgain ? reported.flat() : interleave(reported, this.#random)), ...this.#agree()];
  }

  /** Everything from a slot on that a node still reports, as complete slots in order; then what was agreed on. */
  replay(from: Slot): readonly ChainEvent[] {
    const blocks = [...this.#blocks.values()]
      .filter(({ slot, isDead }) => slot >= from && !isDead)
      .toSorted((a, b) => a.slot - b.slot);
    const events = blocks.flatMap((block) => this.#name(block, replayEvents(block)));
    return [{ kind: "restart" }, ...events, ...this.#statuses(from)];
  }

  /** Confirms and finalizes the head, so that a run ends on one settled slot. */
  settle(): readonly ChainEvent[] {
    this.#confirmed = this.#head;
    this.#finalized = this.#head;
    return this.#statuses(this.#head);
  }

  /**
   * Puts another block in the place of one that is not confirmed, as when a leader made two; its descendants are gone.
   * The events come from a node that had run the first one. A client that reconnects, to this node or another, receives
   * the other one only. Nothing where there is no such block.
   */
  equivocate(): readonly ChainEvent[] {
    const gone = this.#takeAway();
    const [victim] = gone;
    if (victim === undefined) return [];
    const other = this.#makeBlockAt(victim.slot, victim.parent, false);
    if (gone.some(({ slot }) => slot === this.#head)) this.#head = victim.slot;
    const dead = gone
      .toReversed()
      .map(({ slot }): ChainEvent => ({ kind: "slot", slot, parent: null, status: "dead" }));
    return [...dead, ...this.#report(other)];
  }

  /**
   * As `equivocate`, but as nodes report it that clear a bank and make another: nothing says that the first one and its
   * descendants are gone. The second may have another parent, and some descendants are made again. Messages that were
   * still on their way from threads of the node come late: ends, and transactions where they name their bank.
   */
  switchBank(): readonly ChainEvent[] {
    if (this.#random.percent(30)) return this.#abandonBank();
    const gone = this.#takeAway();
    const [victim, ...above] = gone;
    if (victim === undefined) return [];
    const parent = this.#random.percent(30) ? this.#ancestorOf(victim.parent) : victim.parent;
    const made = [this.#makeBlockAt(victim.slot, parent, false)];
    for (const { slot } of above)
      if (this.#random.percent(60))
        made.push(this.#makeBlockAt(slot, made[this.#random.below(made.length)]!.slot, false));
    if (gone.some(({ slot }) => slot === this.#head)) this.#head = made.at(-1)!.slot;
    const late = gone.flatMap((block) =>
      this.#name(block, replayEvents(block)).filter(
        (event) =>
          (event.kind === "slot" || (event.kind === "transaction" && event.bank !== undefined)) &&
          this.#random.percent(40),
      ),
    );
    return insertLate(
      made.flatMap((block) => this.#report(block, true)),
      late,
      this.#random,
    );
  }

  /**
   * Clears every block above the confirmed slot without a word, and uses their numbers again, as when a cluster changes
   * its consensus.
   */
  migrate(): void {
    for (const slot of this.#blocks.keys()) if (slot > this.#confirmed) this.#blocks.delete(slot);
    this.#highest = this.#confirmed;
    this.#head = this.#confirmed;
  }

  /** Another process of a node reports from here on: it numbers its banks in its own way. */
  changeNode(): void {
    this.#streams += 1;
  }

  /** A leader changes the parent within its block: the first bank is cleared before its end. */
  #abandonBank(): readonly ChainEvent[] {
    const first = this.#makeBlock();
    const writes = this.#name(first, abandonedEvents(first, this.#random));
    this.#blocks.delete(first.slot);
    const other = this.#makeBlockAt(first.slot, this.#ancestorOf(first.parent), false);
    return [...writes, ...this.#report(other, true)];
  }

  /** A block that is not confirmed, and its descendants; they are no part of the chain any more. */
  #takeAway(): readonly SimulatedBlock[] {
    const candidates = [...this.#blocks.values()].filter(
      ({ slot, isDead }) => slot > this.#confirmed && !isDead,
    );
    const victim = candidates[this.#random.below(Math.max(1, candidates.length))];
    if (victim === undefined) return [];
    const gone = candidates.filter(({ slot }) => this.pathTo(slot, victim.slot) !== null);
    for (const { slot } of gone) this.#blocks.delete(slot);
    return gone.toSorted((a, b) => a.slot - b.slot);
  }

  /** @param isAgain - whether the node reported another bank of the slot before */
  #report(block: SimulatedBlock, isAgain = this.#reported.has(block.slot)): readonly ChainEvent[] {
    this.#reported.add(block.slot);
    return withEarlyWrite(this.#name(block, blockEvents(block, this.#random, isAgain)), this.#random);
  }

  #name(block: SimulatedBlock, events: readonly ChainEvent[]): readonly ChainEvent[] {
    const bank = BigInt(block.number + NUMBERS_APART * this.#streams);
    const named = namedEvents(events, bank, this.#bankNames);
    for (const event of named) this.#byEvent.set(event, block);
    return named;
  }

  #makeBlock(): SimulatedBlock {
    const random = this.#random;
    const slot = this.#highest + this.#slotsOn();
    const parent = random.percent(25) ? this.#ancestorOf(this.#head) : this.#head;
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
    this.#banks += 1;
    const block: SimulatedBlock = {
      number: this.#banks,
      slot,
      parent,
      blockhash,
      parentBlockhash,
      writes: [
        ...this.#writer.makeWrites(slot, parent),
        ...(this.#isChaotic ? [this.#writer.makeClock(slot)] : []),
      ],
      transactions: this.#isChaotic
        ? changeLeaves(tree, slot, () => this.samples.address(this.#random), this.#random)
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

  /** Some ancestor that builds on the confirmed slot. */
  #ancestorOf(slot: Slot): Slot {
    let at = slot;
    for (let depth = this.#random.between(1, FORK_DEPTH_MAX); depth > 0; depth -= 1) {
      if (at <= this.#confirmed) return at;
      at = this.#blocks.get(at)?.parent ?? at;
    }
    return Math.max(at, this.#confirmed);
  }

  /** Moves the confirmed and the finalized slot along the head's fork, sometimes over several slots at once. */
  #agree(): readonly ChainEvent[] {
    const events: ChainEvent[] = [];
    const below = (slot: Slot, depthMax: number, lowest: Slot): Slot =>
      ancestorOf(this.#blocks, slot, this.#random.below(depthMax), lowest);
    if (this.#random.percent(60)) {
      const slot = below(this.#head, CONFIRM_DEPTH_MAX, this.#confirmed);
      if (slot > this.#confirmed && this.pathTo(slot, this.#confirmed) !== null) {
        this.#confirmed = slot;
        events.push(...this.#statusOf(slot, "confirmed"));
      }
    }
    if (this.#random.percent(30)) {
      const slot = below(this.#confirmed, FINALIZE_DEPTH_MAX, this.#finalized);
      if (slot > this.#finalized) {
        this.#finalized = slot;
        events.push(...this.#statusOf(slot, "finalized"));
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
      .flatMap(({ slot, status }) => this.#statusOf(slot, status));
  }

  #statusOf(slot: Slot, status: "confirmed" | "finalized"): readonly ChainEvent[] {
    const block = this.#blocks.get(slot);
    const event: ChainEvent = { kind: "slot", slot, parent: null, status };
    return block === undefined ? [event] : this.#name(block, [event]);
  }

  #blockhash(): string {
    return encodeAddress(this.#random.bytes(32));
  }
}
