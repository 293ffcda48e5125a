import type { RestoredState } from "@lamplight/indexer";

const SLOT = 0;
const REVISION = 1;
const CONFIRMED = 2;
const CELLS = 3;

/** The newest state of each level that was answered, in memory that all threads share. */
export class NewestAnswered {
  readonly memory: SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  /** @param memory - memory of another thread's instance; default: new memory */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#cells = new BigInt64Array(memory);
  }

  /** Highest finalized slot. */
  get slot(): number {
    return Number(Atomics.load(this.#cells, SLOT));
  }

  /** Highest revision of the unfinalized slots; see `UnfinalizedHead`. */
  get revision(): number {
    return Number(Atomics.load(this.#cells, REVISION));
  }

  /** Highest confirmed slot. */
  get confirmedSlot(): number {
    return Number(Atomics.load(this.#cells, CONFIRMED));
  }

  noteSlot(slot: number): void {
    this.#raise(SLOT, slot);
  }

  noteRevision(revision: number): void {
    this.#raise(REVISION, revision);
  }

  noteConfirmed(slot: number): void {
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
  }: Pick<RestoredState, "slot"> & Partial<RestoredState>): void {
    this.#lower(SLOT, slot);
    this.#lower(CONFIRMED, confirmedSlot);
    this.#lower(REVISION, revision);
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
