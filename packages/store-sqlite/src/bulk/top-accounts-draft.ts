import { type AddressBytes, nonCirculatingAccounts, u64FromColumn } from "@lamplight/core";
import { addressOfKey, compareBytes } from "../columns/account-key.ts";
import type { Connection } from "../engine/connection.ts";
import { TOP_ACCOUNTS_SLACK, TOP_ACCOUNTS_SPARE } from "../engine/settings.ts";
import type { HeadDraft } from "../writes/write-head.ts";
import { type EncodedRows, TAIL_BYTES } from "./encode-rows.ts";

interface Candidate {
  /** Lamports as the column has them: in the order of the values. */
  readonly lamports: bigint;
  readonly address: AddressBytes;
}

/** Keeps the largest accounts of a stream and drops those below the floor. */
export class TopAccountsDraft {
  #candidates = new Candidates(0);
  #floor: Candidate | null = null;

  add({ count, ids, tails, lamports }: EncodedRows, nonCirculatingStakes: number): void {
    const wanted = this.#wanted(nonCirculatingStakes);
    this.#candidates.reserve(3 * wanted);
    let floor = this.#floor?.lamports ?? null;
    for (let row = 0; row < count; row += 1) {
      const column = lamports[row] as bigint;
      if (floor !== null && column < floor) continue;
      this.#candidates.add(column, ids[row] as bigint, tails, TAIL_BYTES * row);
      if (this.#candidates.count <= 2 * wanted) continue;
      this.#cut(wanted);
      floor = this.#floor?.lamports ?? null;
    }
  }

  /** Writes the table and its part of the head. */
  write(connection: Connection, head: HeadDraft): void {
    const wanted = this.#wanted(head.nonCirculatingStakes);
    if (this.#candidates.count > wanted) this.#cut(wanted);
    const insert = connection.prepare("INSERT INTO top_account (lamports, address) VALUES (?, ?)");
    const floor = this.#floor;
    const rows = this.#candidates
      .all()
      .filter((candidate) => floor === null || byRank(candidate, floor) <= 0)
      .toSorted((a, b) => byRank(b, a));
    for (const { lamports, address } of rows) insert.run(lamports, address);
    head.topAccounts = rows.length;
    head.floorLamports = floor === null ? 0n : u64FromColumn(floor.lamports);
    head.floorAddress = floor?.address ?? new Uint8Array(0);
  }

  #wanted(nonCirculatingStakes: number): number {
    return (
      20 + nonCirculatingAccounts.length + nonCirculatingStakes + TOP_ACCOUNTS_SPARE + TOP_ACCOUNTS_SLACK / 2
    );
  }

  #cut(wanted: number): void {
    this.#floor = this.#candidates.cut(wanted);
  }
}

/** Balances and addresses in arrays that the engine sorts without calling back. */
class Candidates {
  count = 0;
  #lamports: BigInt64Array;
  #ids: BigInt64Array;
  #tails: Uint8Array;

  constructor(capacity: number) {
    this.#lamports = new BigInt64Array(capacity);
    this.#ids = new BigInt64Array(capacity);
    this.#tails = new Uint8Array(TAIL_BYTES * capacity);
  }

  reserve(capacity: number): void {
    if (capacity <= this.#lamports.length) return;
    const larger = new Candidates(2 * capacity);
    larger.#lamports.set(this.#lamports);
    larger.#ids.set(this.#ids);
    larger.#tails.set(this.#tails);
    this.#lamports = larger.#lamports;
    this.#ids = larger.#ids;
    this.#tails = larger.#tails;
  }

  add(lamports: bigint, id: bigint, tails: Uint8Array, tailAt: number): void {
    this.#lamports[this.count] = lamports;
    this.#ids[this.count] = id;
    const to = TAIL_BYTES * this.count;
    for (let index = 0; index < TAIL_BYTES; index += 1)
      this.#tails[to + index] = tails[tailAt + index] as number;
    this.count += 1;
  }

  /** Keeps the `count` largest; returns the smallest of them. */
  cut(wanted: number): Candidate {
    const lowest = this.#lamports.subarray(0, this.count).toSorted()[this.count - wanted] as bigint;
    const places = Array.from({ length: this.count }, (_, place) => place);
    const above = places.filter((place) => (this.#lamports[place] as bigint) > lowest);
    const equal = places
      .filter((place) => this.#lamports[place] === lowest)
      .map((place) => ({ place, candidate: this.#at(place) }))
      .toSorted((a, b) => byRank(a.candidate, b.candidate))
      .slice(0, wanted - above.length);
    this.#keep([...above, ...equal.map(({ place }) => place)].toSorted((a, b) => a - b));
    return (equal.at(-1) as { readonly candidate: Candidate }).candidate;
  }

  all(): Candidate[] {
    return Array.from({ length: this.count }, (_, place) => this.#at(place));
  }

  #at(place: number): Candidate {
    const tail = this.#tails.subarray(TAIL_BYTES * place, TAIL_BYTES * (place + 1));
    return {
      lamports: this.#lamports[place] as bigint,
      address: addressOfKey(this.#ids[place] as bigint, tail),
    };
  }

  /** @param places - ascending */
  #keep(places: readonly number[]): void {
    this.count = 0;
    for (const place of places)
      this.add(this.#lamports[place] as bigint, this.#ids[place] as bigint, this.#tails, TAIL_BYTES * place);
  }
}

/** Largest first, as an answer lists them. */
const byRank = (a: Candidate, b: Candidate): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
