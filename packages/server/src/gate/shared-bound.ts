import type { Caller } from "../keys.ts";
import type { SharedCells } from "./shared-cells.ts";

/** The holder of something that is bounded. */
export interface Holder {
  /** Null until a key was right. */
  readonly caller: Caller | null;
  readonly address: string;
}

interface OfKey {
  held: number;
  readonly byAddress: Map<string, number>;
}

/** The share that a key may hold of what the other keys leave, and an address of what the others of its key leave. */
const SHARE = 3 / 4;

/** Holders of nothing get bytes beyond the bound, so that one large answer keeps no small ones out: so much each, and together. */
const FIRST_SHARE = 1 / 64;
const FIRSTS_SHARE = 1 / 4;

/** Cells count up to so much of one thing; of more, they count in larger units. */
const CELL_MAX = 2 ** 28;

/**
 * The sum of what callers hold, over the workers of a process: requests, calls, bytes or places. Places only count with
 * it. Of the others, the bound is such that however much one key holds, there is room for another, and within a key for another address. A share that is in use is
 * given to no other holder, and is free again when its holder gives it back. Workers that take something at the same
 * moment may exceed it, by one thing each.
 */
export class SharedBound {
  readonly #max: number;
  readonly #byKey = new Map<Caller | null, OfKey>();
  readonly #cells: SharedCells | null;
  readonly #unit: number;
  #held = 0;
  #largest = 0;

  /** @param cells - where all workers count; null = there is one */
  constructor(max: number, cells: SharedCells | null = null) {
    this.#max = max;
    this.#cells = cells;
    this.#unit = Math.ceil(max / CELL_MAX);
  }

  /** The sum of what callers of this worker hold. */
  get held(): number {
    return this.#held;
  }

  get heldByAll(): number {
    return this.#cells === null ? this.#held : this.#held + this.#unit * this.#cells.allOfOthers;
  }

  heldByKey(caller: Caller | null): number {
    const own = this.#byKey.get(caller)?.held ?? 0;
    return this.#cells === null ? own : own + this.#unit * this.#cells.ofOthers(nameOf(caller));
  }

  heldByAddress({ caller, address }: Holder): number {
    const own = this.#byKey.get(caller)?.byAddress.get(address) ?? 0;
    return this.#cells === null ? own : own + this.#unit * this.#cells.ofOthers(nameOf(caller, address));
  }

  /**
   * Whether a holder may take so much more. The first thing of a key, or of an address, may take all that is free.
   *
   * @param own - of the same thing, what is held already
   */
  hasRoom(holder: Holder, amount: number, own = 0): boolean {
    const all = this.heldByAll;
    if (all + amount > this.#max) return false;
    const heldByKey = this.heldByKey(holder.caller);
    if (heldByKey <= own) return true;
    const ofKey = SHARE * (this.#max - (all - heldByKey));
    if (heldByKey + amount > ofKey) return false;
    const held = this.heldByAddress(holder);
    return held <= own || held + amount <= SHARE * (ofKey - (heldByKey - held));
  }

  /** The same of bytes: where nothing else is held, one thing is taken, however large it is. */
  hasRoomForBytes(holder: Holder, bytes: number, own = 0): boolean {
    const all = this.heldByAll;
    if (all <= own || this.hasRoom(holder, bytes, own)) return true;
    if (own + bytes > FIRST_SHARE * this.#max || this.heldByAddress(holder) > own) return false;
    return all + bytes <= Math.max(this.#max, this.#largestHeld) + FIRSTS_SHARE * this.#max;
  }

  /** @param own - of the same thing, what is held already */
  add(holder: Holder, amount: number, own = 0): void {
    // Nothing would be given back, and the holder would be kept for good.
    if (amount === 0) return;
    const { caller, address } = holder;
    let ofKey = this.#byKey.get(caller);
    if (ofKey === undefined) this.#byKey.set(caller, (ofKey = { held: 0, byAddress: new Map() }));
    const held = ofKey.byAddress.get(address) ?? 0;
    if (this.#cells !== null)
      this.#publish(this.#cells, caller, address, [this.#held, ofKey.held, held], amount);
    this.#held += amount;
    ofKey.held += amount;
    ofKey.byAddress.set(address, held + amount);
    // One thing alone may be larger than the bound. What others get beyond it then does not depend on its size.
    if (own + amount > this.#max) this.#noteLargest(own + amount);
  }

  /** Gives back what the same holder has added. */
  remove({ caller, address }: Holder, amount: number): void {
    const ofKey = this.#byKey.get(caller);
    if (ofKey === undefined || amount === 0) return;
    const held = ofKey.byAddress.get(address)!;
    if (this.#cells !== null)
      this.#publish(this.#cells, caller, address, [this.#held, ofKey.held, held], -amount);
    this.#held -= amount;
    ofKey.held -= amount;
    if (held === amount) ofKey.byAddress.delete(address);
    else ofKey.byAddress.set(address, held - amount);
    if (ofKey.byAddress.size === 0) this.#byKey.delete(caller);
    if (this.#largestHeld > 0 && this.heldByAll <= this.#max) this.#forgetLargest();
  }

  /** The size of the largest thing beyond the bound that is not forgotten. */
  get #largestHeld(): number {
    return this.#cells === null ? this.#largest : this.#unit * this.#cells.largest;
  }

  #noteLargest(amount: number): void {
    if (this.#cells === null) this.#largest = Math.max(this.#largest, amount);
    else this.#cells.noteLargest(Math.ceil(amount / this.#unit));
  }

  /** Of all workers. */
  #forgetLargest(): void {
    this.#largest = 0;
    this.#cells?.forgetLargest();
  }

  /** Rounds what is held, not what is added: so nothing stays counted once all was given back. */
  #publish(
    cells: SharedCells,
    caller: Caller | null,
    address: string,
    [all, ofKey, ofAddress]: readonly [number, number, number],
    amount: number,
  ): void {
    cells.addToAll(this.#unitsMore(all, amount));
    cells.add(nameOf(caller), this.#unitsMore(ofKey, amount));
    cells.add(nameOf(caller, address), this.#unitsMore(ofAddress, amount));
  }

  #unitsMore(held: number, amount: number): number {
    return Math.ceil((held + amount) / this.#unit) - Math.ceil(held / this.#unit);
  }
}

const nameOf = (caller: Caller | null, address = ""): string => `${caller?.id ?? ""} ${address}`;
