import { type AddressBytes, nonCirculatingAccounts } from "@lamplight/core";
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

  add({ rows, starts }: CopiedAccounts, stakeHolds: number): void {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
    // The upper half alone decides for nearly all: turned back, it is that of the value.
    let floorHigh = this.#floorHigh();
    for (const start of starts) {
      const at = start + copiedAccountLayout.lamports;
      if ((view.getUint32(at) ^ 0x80000000) >>> 0 < floorHigh) continue;
      const address = rows.slice(
        start + copiedAccountLayout.address,
        start + copiedAccountLayout.address + 32,
      );
      this.#candidates.push({ lamports: view.getBigUint64(at) ^ (1n << 63n), address });
      if (this.#candidates.length <= 2 * wanted(stakeHolds)) continue;
      this.#cut(stakeHolds);
      floorHigh = this.#floorHigh();
    }
  }

  /** Largest first, with the floor above which every account is among them; null where these are all. */
  finish(stakeHolds: number): {
    readonly accounts: readonly TopAccount[];
    readonly floor: TopAccount | null;
  } {
    if (this.#candidates.length > wanted(stakeHolds)) this.#cut(stakeHolds);
    const floor = this.#floor;
    const accounts = this.#candidates
      .filter((candidate) => floor === null || byRank(candidate, floor) <= 0)
      .toSorted(byRank);
    return { accounts, floor };
  }

  #floorHigh(): number {
    return this.#floor === null ? 0 : Number(this.#floor.lamports >> 32n);
  }

  #cut(stakeHolds: number): void {
    this.#candidates.sort(byRank);
    this.#candidates.length = wanted(stakeHolds);
    this.#floor = this.#candidates.at(-1) ?? null;
  }
}

/** Rows that one answer of twenty may have to look at, and as many more as make the floor stay for a while. */
const wanted = (stakeHolds: number): number =>
  20 + nonCirculatingAccounts.length + stakeHolds + TOP_ACCOUNTS_SPARE + TOP_ACCOUNTS_SLACK / 2;

const byRank = (a: TopAccount, b: TopAccount): number =>
  a.lamports === b.lamports ? compareBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1;
