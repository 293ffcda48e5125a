import {
  type AddressBytes,
  type AssetPage,
  type AssetPlace,
  type AssetPosition,
  type AssetQuery,
  cutPage,
  pageOf,
  type PagePatch,
  type PageReader,
  type PageStart,
  patchPages,
  placeIn,
  reads,
  type ReadView,
  waitFor,
  waitForResult,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { factsOf } from "../engine/packed-asset.ts";
import type { PathAssets } from "./finalized-facts.ts";
import { type ChangedAsset, readChangedAssets, sharedRecords } from "./changed-assets.ts";
import type { Path } from "../engine/delta.ts";

/**
 * Search at the newest slot of a path. Takes the finalized result, removes changed assets, and merges those that
 * match now. Totals and pages are as exact as in a finalized search.
 */
export class OverlaySearch {
  readonly #path: Path;
  readonly #finalized: ReadView;
  readonly #readPathAssets: () => Promise<PathAssets>;

  constructor(path: Path, finalized: ReadView, readPathAssets: () => Promise<PathAssets>) {
    this.#path = path;
    this.#finalized = finalized;
    this.#readPathAssets = readPathAssets;
  }

  async searchAssets(asked: AssetQuery): Promise<AssetPage> {
    const assets = await this.#readPathAssets();
    const shared = sharedRecords(assets);
    const query = shared.length === 0 ? asked : { ...asked, shared };
    const changed = await readChangedAssets(query, this.#path, assets, this.#finalized);
    const finalized: PageReader<AssetPosition, Promise<unknown>> = {
      ...finalizedPages(this.#finalized, query),
      findPlace: (id) => waitFor(this.#findPlace(query, id, assets)),
    };
    const reader = patchPages(finalized, query.sort, patchOf(changed));
    return pageOf(reader, query, await waitForResult(cutPage(reader, query)));
  }

  async #findPlace({ sort }: AssetQuery, id: AddressBytes, assets: PathAssets): Promise<AssetPlace | null> {
    const changed = assets.byId.get(addressKey(id));
    if (changed !== undefined) {
      const { asset, ordinal } = changed;
      return asset === null || ordinal === null ? null : placeIn(sort, { ...factsOf(asset), ordinal });
    }
    const [stored = null] = await this.#finalized.terms.readFacts([id]);
    return stored === null ? null : placeIn(sort, stored);
  }
}

/** Pages of the finalized search, read through its port. */
const finalizedPages = (
  finalized: ReadView,
  query: AssetQuery,
): Omit<PageReader<AssetPosition, Promise<unknown>>, "findPlace"> => {
  const { sort } = query;
  let total: number | null = null;
  const read = async (changes: Partial<AssetQuery>): Promise<AssetPage> => {
    const page = await finalized.read(reads.search({ ...query, ...changes }));
    total = page.total;
    return page;
  };
  return {
    *count() {
      return total ?? (yield* waitFor(read({ start: { kind: "offset", offset: 0 }, limit: 1 }))).total;
    },
    *read({ direction, from, limit }) {
      const start: PageStart =
        typeof from === "number" ? { kind: "offset", offset: from } : { kind: "place", place: from };
      const { ordinals } = yield* waitFor(read({ start, direction, limit }));
      return yield* waitFor(finalized.terms.readPositions(ordinals));
    },
    ordinalOf: ({ ordinal }) => ordinal,
    placeOf: (row) => placeIn(sort, row),
  };
};

const patchOf = (changed: readonly ChangedAsset[]): PagePatch<AssetPosition> => {
  const hidden = new Set(changed.flatMap(({ before }) => before?.ordinal ?? []));
  return {
    isHidden: ({ ordinal }) => hidden.has(ordinal),
    removed: changed.flatMap(({ before, matched }) => (before !== null && matched ? before : [])),
    added: changed.flatMap(({ after, matches }) => (after !== null && matches ? after : [])),
  };
};
