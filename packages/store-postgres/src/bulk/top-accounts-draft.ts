import { type AddressBytes, nonCirculatingAccounts, u64FromColumn, u64ToColumn } from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import { TOP_ACCOUNTS_SLACK, TOP_ACCOUNTS_SPARE } from "../engine/settings.ts";
import { type CopiedAccounts, copiedAccountLayout } from "./copied-accounts.ts";

export interface TopAccount {
  readonly lamports: bigint;
  readonly address: AddressBytes;
}

/** Keeps the largest accounts of a stream; what falls below the floor is forgotten. */
export class TopAccountsDraft {
  #candidates: TopAccount[] = [];
  #floor: TopAccount | null = null;
  #floorRow: DataView | null = null;

  add({ rows, starts }: CopiedAccounts, nonCirculatingStakes: number): void {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    for (const start of starts) {
      if (this.#isBelowFloor(view, start)) continue;
      this.#candidates.push({
        lamports: u64FromColumn(view.getBigInt64(start + lamportsAt)),
        address: rows.slice(start + addressAt, start + addressAt + 32),
      });
      if (this.#candidates.length > 2 * wanted(nonCirculatingStakes)) this.#cut(nonCirculatingStakes);
    }
  }

  /** Largest first, with the floor above which every account is among them; null where these are all. */
  finish(nonCirculatingStakes: number): {
    readonly accounts: readonly TopAccount[];
    readonly floor: TopAccount | null;
  } {
    if (this.#candidates.length > wanted(nonCirculatingStakes)) this.#cut(nonCirculatingStakes);
    const floor = this.#floor;
    const accounts = this.#candidates
      .filter((candidate) => floor === null || byRank(candidate, floor) <= 0)
      .toSorted(byRank);
    return { accounts, floor };
  }

  /** Decided word by word, without making an object: it is asked of every account, and nearly all are. */
  #isBelowFloor(view: DataView, start: number): boolean {
    const floor = this.#floorRow;
    if (floor === null) return false;
    const high = view.getInt32(start + lamportsAt);
    const floorHigh = floor.getInt32(lamportsAt);
    if (high !== floorHigh) return high < floorHigh;
    for (const at of lowerRanks) {
      const ours = view.getUint32(start + at);
      const theirs = floor.getUint32(at);
      if (ours !== theirs) return ours < theirs;
    }
    return false;
  }

  #cut(nonCirculatingStakes: number): void {
    this.#candidates.sort(byRank);
    this.#candidates.length = wanted(nonCirculatingStakes);
    this.#floor = this.#candidates.at(-1) ?? null;
    this.#floorRow = this.#floor === null ? null : rankOf(this.#floor);
  }
}

// The rank of a row: the upper half of its lamports, which is signed in the column, the lower half, the address.
const { lamports: lamportsAt, address: addressAt } = copiedAccountLayout;
const lowerRanks: readonly number[] = [
  lamportsAt + 4,
  ...Array.from({ length: 8 }, (_, word) => addressAt + 4 * word),
];

/** The same places filled as a row has them. */
const rankOf = ({ lamports, address }: TopAccount): DataView => {
  const bytes = new Uint8Array(lamportsAt + 8);
  const view = new DataView(bytes.buffer);
  bytes.set(address, addressAt);
  view.setBigInt64(lamportsAt, u64ToColumn(lamports));
  return view;
};

/** Rows that an answer of twenty may have to read, and a reserve that keeps the floor in place for a while. */
const wanted = (nonCirculatingStakes: number): number =>
  20 + nonCirculatingAccounts.length + nonCirculatingStakes + TOP_ACCOUNTS_SPARE + TOP_ACCOUNTS_SLACK / 2;

const byRank = (a: TopAccount, b: TopAccount): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
