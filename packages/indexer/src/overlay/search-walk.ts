import type { AssetPage, AssetQuery, Ordinal, PageStart, ReadView, SortDirection } from "@lamplight/core";
import type { ChangedAsset } from "./changed-assets.ts";
import { searchChunkRows } from "./limits.ts";
import { compareRows, cursorOf, type Row } from "./search-rows.ts";

/** The matches of one query in order: those of the rooted search without the changed assets, these merged in anew. */
export class SearchWalk {
  readonly #base: ReadView;
  readonly #query: AssetQuery;
  readonly #signal: AbortSignal | undefined;
  /** Rooted numbers of changed assets: skipped wherever the rooted search shows them. */
  readonly #hidden: ReadonlySet<Ordinal>;
  /** Rooted matches that are skipped. */
  readonly #removed: readonly Row[];
  readonly #added: readonly Row[];
  readonly #chunk: number;
  #total: Promise<AssetPage> | null = null;

  constructor(
    base: ReadView,
    query: AssetQuery,
    changed: readonly ChangedAsset[],
    signal: AbortSignal | undefined,
  ) {
    this.#base = base;
    this.#query = query;
    this.#signal = signal;
    this.#hidden = new Set(changed.flatMap(({ before }) => before?.ordinal ?? []));
    this.#removed = changed.flatMap(({ before, matched }) => (before !== null && matched ? before : []));
    this.#added = changed.flatMap(({ after, matches }) => (after !== null && matches ? after : []));
    // A seek reads one row more than its page.
    const rows = query.limit + (query.start.kind === "page" ? 0 : 1);
    this.#chunk = Math.max(rows, Math.min(this.#added.length, searchChunkRows));
  }

  async total(): Promise<number> {
    return (await this.#baseTotal()) - this.#removed.length + this.#added.length;
  }

  /** The page that begins at that place of the whole list. */
  async window(offset: number): Promise<readonly Row[]> {
    const order = this.#query;
    const added = this.#sortedAdded(order.direction);
    const lastRank = (await this.#baseTotal()) - 1;
    const wanted = Math.max(0, Math.min(offset - added.length, lastRank));
    const page = Math.floor(wanted / this.#chunk);
    const from = page * this.#chunk;
    const stored = this.#stored({ kind: "page", page: page + 1 }, order.direction);
    const first = from === 0 ? null : await this.#rowAt(page);
    const isBefore = (row: Row): boolean => first !== null && compareRows(order, row, first) < 0;
    const rank = from - this.#removed.filter(isBefore).length + added.filter(isBefore).length;
    const tail = added.filter((row) => !isBefore(row));
    return merge(stored, tail, (a, b) => compareRows(order, a, b), offset - rank, order.limit);
  }

  /** Up to `limit` rows after a place, in the query's order or in its opposite. */
  async after(place: Row, direction: SortDirection, limit: number): Promise<readonly Row[]> {
    const order = { sort: this.#query.sort, direction };
    const beyond = this.#sortedAdded(direction).filter((row) => compareRows(order, row, place) > 0);
    const cursor = cursorOf(order, place);
    const stored = this.#stored({ kind: "cursor", cursor }, direction);
    return merge(stored, beyond, (a, b) => compareRows(order, a, b), 0, limit);
  }

  /** What the rooted search shows from there on, without what has changed; read in chunks as far as it is asked for. */
  async *#stored(from: PageStart, direction: SortDirection): AsyncGenerator<Row, void> {
    let start = from;
    for (;;) {
      const page = await this.#search({ start, direction, limit: this.#chunk });
      const kept = page.ordinals.filter((ordinal) => !this.#hidden.has(ordinal));
      yield* await this.#base.terms.readPositions(kept);
      if (page.ordinals.length < this.#chunk || page.cursor === null) return;
      start = { kind: "cursor", cursor: page.cursor };
    }
  }

  /** The first row of a chunk, changed or not. */
  async #rowAt(page: number): Promise<Row | null> {
    const start = { kind: "page", page: page * this.#chunk + 1 } as const;
    const { ordinals } = await this.#search({ start, direction: this.#query.direction, limit: 1 });
    const [row] = await this.#base.terms.readPositions(ordinals);
    return row ?? null;
  }

  async #baseTotal(): Promise<number> {
    const start = { kind: "page", page: 1 } as const;
    this.#total ??= this.#search({ start, direction: this.#query.direction, limit: 1 });
    return (await this.#total).total;
  }

  async #search(changes: Pick<AssetQuery, "start" | "direction" | "limit">): Promise<AssetPage> {
    return this.#base.search.searchAssets({ ...this.#query, ...changes }, this.#signal);
  }

  #sortedAdded(direction: SortDirection): readonly Row[] {
    return this.#added.toSorted((a, b) => compareRows({ sort: this.#query.sort, direction }, a, b));
  }
}

/** Rows `skip` to `skip + limit` of two lists that are each in order. */
const merge = async (
  stored: AsyncGenerator<Row, void>,
  added: readonly Row[],
  compare: (a: Row, b: Row) => number,
  skip: number,
  limit: number,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  let nextAdded = 0;
  let nextStored = await stored.next();
  while (rows.length < skip + limit) {
    const fresh = added[nextAdded];
    const old = nextStored.done === true ? undefined : nextStored.value;
    if (fresh === undefined && old === undefined) break;
    if (old === undefined || (fresh !== undefined && compare(fresh, old) < 0)) {
      rows.push(fresh!);
      nextAdded += 1;
    } else {
      rows.push(old);
      nextStored = await stored.next();
    }
  }
  await stored.return();
  return rows.slice(skip);
};
