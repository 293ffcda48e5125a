import type { AssetPage, AssetQuery, ReadView, SearchReader } from "@lamplight/core";
import { decodeAssetCursor, unknownStartError } from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import type { PathAssets } from "./base-facts.ts";
import { readChangedAssets, sharedRecords } from "./changed-assets.ts";
import { cursorOf, type Row } from "./search-rows.ts";
import { SearchWalk } from "./search-walk.ts";
import type { Path } from "./slot-changes.ts";

/**
 * Search as of the newest slot of a path: the rooted search, of which the changed assets are taken out where they
 * matched and put in where they match now. Totals and pages are as exact as those of the rooted search.
 */
export class OverlaySearch implements SearchReader {
  readonly #path: Path;
  readonly #base: ReadView;
  readonly #readPathAssets: () => Promise<PathAssets>;

  constructor(path: Path, base: ReadView, readPathAssets: () => Promise<PathAssets>) {
    this.#path = path;
    this.#base = base;
    this.#readPathAssets = readPathAssets;
  }

  async searchAssets(asked: AssetQuery, signal?: AbortSignal): Promise<AssetPage> {
    const assets = await this.#readPathAssets();
    const shared = sharedRecords(assets);
    const query = shared.length === 0 ? asked : { ...asked, shared };
    const changed = await readChangedAssets(query, this.#path, assets, this.#base.terms);
    const walk = new SearchWalk(this.#base, query, changed, signal);
    const total = await walk.total();
    const { rows, hasNext } = await this.#readPage(query, walk, assets, total);
    const cursor = hasNext ? cursorOf(query, rows.at(-1)!) : null;
    return { total, ordinals: rows.map(({ ordinal }) => ordinal), cursor };
  }

  async #readPage(query: AssetQuery, walk: SearchWalk, assets: PathAssets, total: number): Promise<RowPage> {
    const { start, direction, limit } = query;
    switch (start.kind) {
      case "page": {
        const offset = (start.page - 1) * limit;
        const rows = await walk.window(offset);
        return { rows, hasNext: rows.length > 0 && offset + rows.length < total };
      }
      case "after":
        return readAfter(walk, await this.#findRow("after", start.id, assets), query);
      case "before": {
        // The page before, in the same order, is the page after in the opposite order, reversed.
        const opposite = direction === "asc" ? "desc" : "asc";
        const place = await this.#findRow("before", start.id, assets);
        const rows = (await walk.after(place, opposite, limit)).toReversed();
        const last = rows.at(-1);
        const hasNext = last !== undefined && (await walk.after(last, direction, 1)).length > 0;
        return { rows, hasNext };
      }
      case "cursor": {
        const { position, id } = decodeAssetCursor(start.cursor, query);
        const place = { ordinal: position, id, createdSlot: position, updatedSlot: position };
        return readAfter(walk, place, query);
      }
      default:
        return start satisfies never;
    }
  }

  async #findRow(parameter: "after" | "before", id: Uint8Array, assets: PathAssets): Promise<Row> {
    const changed = assets.byId.get(addressKey(id));
    if (changed !== undefined) {
      const { asset, ordinal } = changed;
      if (asset !== null && ordinal !== null) return { ...asset, ordinal };
    } else {
      const [stored] = await this.#base.terms.readFacts([id]);
      if (stored !== undefined && stored !== null) return stored;
    }
    throw unknownStartError(parameter);
  }
}

interface RowPage {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
}

/** Reads one row more than the page holds, to see whether another page follows. */
const readAfter = async (
  walk: SearchWalk,
  place: Row,
  { direction, limit }: Pick<AssetQuery, "direction" | "limit">,
): Promise<RowPage> => {
  const found = await walk.after(place, direction, limit + 1);
  return { rows: found.slice(0, limit), hasNext: found.length > limit };
};
