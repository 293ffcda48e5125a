import type { AddressBytes } from "@lamplight/core";
import { compareBytes, mapKeyOf } from "../columns/keys.ts";

/** A place in the order of the largest accounts: lamports, then address. */
export interface Place {
  readonly lamports: bigint;
  readonly address: AddressBytes;
}

/**
 * Searches for the largest accounts below the floor, some rows at a time, while slots are written. Writes to rows
 * that were already searched are passed to it. It knows every account between its cut and the floor. If there are too
 * many, the smallest are dropped, and the cut rises.
 */
export class FloorSearch {
  readonly floor: Place;
  readonly #rowsMax: number;
  readonly #found = new Map<string, Place>();
  #cut: Place | null = null;
  #through: AddressBytes = new Uint8Array(0);
  #isDone = false;

  constructor(floor: Place, rowsMax: number) {
    this.floor = floor;
    this.#rowsMax = rowsMax;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Rows up to this address were searched; empty = none yet. */
  get through(): AddressBytes {
    return this.#through;
  }

  /** Accounts at or below it are not needed; null before there were too many. */
  get cut(): Place | null {
    return this.#cut;
  }

  /** Places above the cut and below the floor, largest first. */
  get found(): readonly Place[] {
    return [...this.#found.values()].toSorted((a, b) => comparePlaces(b, a));
  }

  /** An account has other lamports now; 0n = it is gone. */
  note({ address, lamports }: Place): void {
    // Its row is still to be searched, and will give the same result.
    if (!this.#isDone && compareBytes(address, this.#through) > 0) return;
    this.#found.delete(mapKeyOf(address));
    if (lamports > 0n) this.#keep({ address, lamports });
  }

  /** @param through - the last address that was searched; null = there are no more */
  take(rows: readonly Place[], through: AddressBytes | null): void {
    for (const row of rows) this.#keep(row);
    if (through === null) this.#isDone = true;
    else this.#through = through;
  }

  #keep(place: Place): void {
    const isBelow = comparePlaces(place, this.floor) < 0;
    if (!isBelow || (this.#cut !== null && comparePlaces(place, this.#cut) <= 0)) return;
    this.#found.set(mapKeyOf(place.address), place);
    // Twice as many, so that sorting is rare.
    if (this.#found.size > 2 * this.#rowsMax) this.#raiseCut();
  }

  #raiseCut(): void {
    const gone = this.found.slice(this.#rowsMax);
    for (const { address } of gone) this.#found.delete(mapKeyOf(address));
    this.#cut = gone[0]!;
  }
}

const comparePlaces = (a: Place, b: Place): number =>
  a.lamports === b.lamports ? compareBytes(a.address, b.address) : a.lamports < b.lamports ? -1 : 1;
