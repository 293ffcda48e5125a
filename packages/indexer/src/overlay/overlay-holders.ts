import { sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  AddressMap,
  byHolderOrder,
  deriveAccountFacts,
  type Holder,
  type HolderCount,
  type HolderQuery,
  reads,
  type ReadView,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import type { HolderChange, Path } from "../engine/delta.ts";

/** Rows of the store that are read at once to find those that the path does not write. */
const ROWS_PER_READ_MAX = 4096;

/** Token accounts of a mint as of the newest slot of a path. */
export class OverlayHolders {
  readonly #path: Path;
  readonly #finalized: Pick<ReadView, "read">;
  /** By mint: a call asks several times. */
  readonly #touchedOf = new Map<string, AddressMap<HolderChange>>();

  constructor(path: Path, finalized: Pick<ReadView, "read">) {
    this.#path = path;
    this.#finalized = finalized;
  }

  /** Whether the path writes any token account of a mint. */
  isTouched(mint: AddressBytes): boolean {
    return this.#touched(mint).size > 0;
  }

  async list(query: HolderQuery): Promise<readonly Holder[]> {
    const { limit, showsEmpty } = query;
    const touched = this.#touched(query.mint);
    const changed = touched
      .values()
      .flatMap(({ tokenAccount, amount }) => (amount === null ? [] : [{ tokenAccount, amount }]))
      .filter((holder) => (showsEmpty || holder.amount > 0n) && !isUpTo(holder, query));
    const kept: Holder[] = [];
    // Those that the path writes are left out of a page: one that has as many more ends in one read.
    const rows = Math.max(limit, Math.min(limit + touched.size, ROWS_PER_READ_MAX));
    let page = { ...query, limit: rows };
    for (;;) {
      const stored = await this.#finalized.read(reads.holders(page));
      kept.push(...stored.filter(({ tokenAccount }) => !touched.has(tokenAccount)));
      if (stored.length < rows || kept.length >= limit) break;
      page = { ...page, after: stored.at(-1)! };
    }
    return [...kept, ...changed].toSorted(byHolderOrder(query)).slice(0, limit);
  }

  async count(mint: AddressBytes): Promise<HolderCount> {
    const stored = await this.#finalized.read(reads.holderCount(mint));
    const changed = this.#touched(mint)
      .values()
      .filter(({ isCounted }) => isCounted);
    if (changed.length === 0) return stored;
    const count = { ...stored };
    // Each by itself: anyone may make accounts so long that many cannot be read together.
    const before = await Promise.all(changed.map((change) => this.#placeBefore(change, mint)));
    for (const place of before) if (place !== null) count[place] -= 1;
    for (const { amount } of changed) if (amount !== null) count[placeOf(amount > 0n)] += 1;
    return count;
  }

  /** Null where the store has no such token account of the mint. */
  async #placeBefore({ tokenAccount }: HolderChange, mint: AddressBytes): Promise<keyof HolderCount | null> {
    const account = await this.#finalized.read(reads.account(tokenAccount));
    const holding = account === null ? null : deriveAccountFacts(account).holding;
    return holding !== null && sameBytes(holding.mint, mint) ? placeOf(holding.positive) : null;
  }

  /** Token accounts of the mint that the path writes, each as it was written last. */
  #touched(mint: AddressBytes): AddressMap<HolderChange> {
    const known = this.#touchedOf.get(addressKey(mint));
    if (known !== undefined) return known;
    const touched = new AddressMap<HolderChange>();
    this.#touchedOf.set(addressKey(mint), touched);
    for (const delta of this.#path)
      for (const change of delta.holdersOf(mint)) {
        const newer = touched.get(change.tokenAccount);
        if (newer === undefined) touched.set(change.tokenAccount, change);
        else if (change.isCounted) touched.set(change.tokenAccount, { ...newer, isCounted: true });
      }
    return touched;
  }
}

const isUpTo = (holder: Holder, query: HolderQuery): boolean =>
  query.after !== undefined && byHolderOrder(query)(holder, query.after) <= 0;

const placeOf = (positive: boolean): keyof HolderCount => (positive ? "positive" : "empty");
