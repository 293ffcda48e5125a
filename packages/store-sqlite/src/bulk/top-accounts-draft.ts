import { type AddressBytes, nonCirculatingAccounts } from "@lamplight/core";
import { addressOfKey, compareBytes } from "../columns/account-key.ts";
import { u64FromColumn, u64ToColumn } from "../columns/u64-column.ts";
import type { Connection } from "../engine/connection.ts";
import { TOP_ACCOUNTS_SLACK, TOP_ACCOUNTS_SPARE } from "../engine/settings.ts";
import type { EncodedRows } from "./encode-rows.ts";
import type { HeadDraft } from "../writes/write-head.ts";

interface Candidate {
  readonly lamports: bigint;
  readonly address: AddressBytes;
}

/** Keeps the largest accounts of a stream; what falls below the floor is forgotten. */
export class TopAccountsDraft {
  #candidates: Candidate[] = [];
  #floor: Candidate | null = null;

  add({ count, ids, tails, lamports }: EncodedRows, stakeHolds: number): void {
    // Compared as columns: their order is the order of the values.
    let floor = this.#floor === null ? null : u64ToColumn(this.#floor.lamports);
    for (let row = 0; row < count; row += 1) {
      const column = lamports[row] as bigint;
      if (floor !== null && column < floor) continue;
      const address = addressOfKey(ids[row] as bigint, tails.subarray(24 * row, 24 * row + 24));
      this.#candidates.push({ lamports: u64FromColumn(column), address });
      if (this.#candidates.length <= 2 * this.#wanted(stakeHolds)) continue;
      this.#cut(stakeHolds);
      floor = this.#floor === null ? null : u64ToColumn(this.#floor.lamports);
    }
  }

  /** Writes the table and its part of the head. */
  write(connection: Connection, head: HeadDraft): void {
    if (this.#candidates.length > this.#wanted(head.stakeHolds)) this.#cut(head.stakeHolds);
    const insert = connection.prepare("INSERT INTO top_account (lamports, address) VALUES (?, ?)");
    const floor = this.#floor;
    const rows = this.#candidates
      .filter((candidate) => floor === null || byRank(candidate, floor) <= 0)
      .toSorted((a, b) => byRank(b, a));
    for (const { lamports, address } of rows) insert.run(u64ToColumn(lamports), address);
    head.topAccounts = rows.length;
    head.floorLamports = floor?.lamports ?? 0n;
    head.floorAddress = floor?.address ?? new Uint8Array(0);
  }

  #wanted(stakeHolds: number): number {
    return 20 + nonCirculatingAccounts.length + stakeHolds + TOP_ACCOUNTS_SPARE + TOP_ACCOUNTS_SLACK / 2;
  }

  #cut(stakeHolds: number): void {
    this.#candidates.sort(byRank);
    this.#candidates.length = this.#wanted(stakeHolds);
    this.#floor = this.#candidates.at(-1) ?? null;
  }
}

/** Largest first, as an answer lists them. */
const byRank = (a: Candidate, b: Candidate): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
