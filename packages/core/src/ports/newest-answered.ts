import { setImmediate as nextTurn } from "node:timers/promises";
import type { Slot } from "../domain/address.ts";
import { type MaybePromise, type ReadView, whenReady } from "./read-view.ts";

const SLOT = 0;
const REVISION = 1;
const CONFIRMED = 2;
const CELLS = 3;

/** The newest state of each level from which any thread has answered the same clients, in memory that they share. */
export class NewestAnswered {
  readonly memory: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  /** @param memory - memory of another thread's instance; default: new memory */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new BigInt64Array(memory);
  }

  /** Highest finalized slot. */
  get slot(): Slot {
    return Number(Atomics.load(this.#cells, SLOT));
  }

  /** Highest revision of the unfinalized slots; see `UnfinalizedHead`. */
  get revision(): number {
    return Number(Atomics.load(this.#cells, REVISION));
  }

  /** Highest confirmed slot. Views at `confirmed` are never older. */
  get confirmedSlot(): Slot {
    return Number(Atomics.load(this.#cells, CONFIRMED));
  }

  noteSlot(slot: Slot): void {
    this.#raise(SLOT, slot);
  }

  noteRevision(revision: number): void {
    this.#raise(REVISION, revision);
  }

  noteConfirmed(slot: Slot): void {
    this.#raise(CONFIRMED, slot);
  }

  /**
   * Lowers it to what a store has that was restored to an older state. Each thread finds that out by itself: what the
   * others have answered from the restored store stays. A reader of several servers knows the finalized slot alone.
   */
  lowerTo({
    slot,
    confirmedSlot = slot,
    revision = 0,
  }: {
    readonly slot: Slot;
    readonly confirmedSlot?: Slot;
    readonly revision?: number;
  }): void {
    this.#lower(SLOT, slot);
    this.#lower(CONFIRMED, confirmedSlot);
    this.#lower(REVISION, revision);
  }

  /**
   * Opens a view that is not older than an answer of another thread. So a client that reconnects to another one never
   * goes back in time. Only a snapshot that was shared within a turn of the event loop can be older. After a restore
   * the store stays lower, and is answered as it is.
   *
   * @param open - called once or twice
   */
  openAsNew(open: () => MaybePromise<ReadView>): MaybePromise<ReadView> {
    return whenReady(open(), (view) => {
      if (view.slot >= this.slot) return this.#note(view);
      view.close();
      return nextTurn()
        .then(open)
        .then((again) => this.#note(again));
    });
  }

  #note(view: ReadView): ReadView {
    this.noteSlot(view.slot);
    return view;
  }

  #raise(cell: number, value: number): void {
    this.#replace(cell, BigInt(value), (seen, raised) => seen < raised);
  }

  #lower(cell: number, value: number): void {
    this.#replace(cell, BigInt(value), (seen, lowered) => seen > lowered);
  }

  #replace(cell: number, value: bigint, isDue: (seen: bigint, value: bigint) => boolean): void {
    for (let seen = Atomics.load(this.#cells, cell); isDue(seen, value);) {
      const before = Atomics.compareExchange(this.#cells, cell, seen, value);
      if (before === seen) return;
      seen = before;
    }
  }
}
