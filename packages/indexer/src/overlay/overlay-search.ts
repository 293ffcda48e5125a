import type { AssetPage, AssetQuery, ReadView, SearchReader } from "@lamplight/core";
import { decodeAssetCursor } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { addressKey } from "../engine/address-map.ts";
import type { PathAssets } from "./base-facts.ts";
import { readChangedAssets } from "./changed-assets.ts";
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

  async searchAssets(query: AssetQuery, signal?: AbortSignal): Promise<AssetPage> {
    const assets = await this.#readPathAssets();
    const changed = await readChangedAssets(query, this.#path, assets, this.#base.terms);
    const walk = new SearchWalk(this.#base, query, changed, signal);
    const total = await walk.total();
    const rows = await this.#readPage(query, walk, assets);
    return { total, ordinals: rows.map(({ ordinal }) => ordinal), cursor: cursorOf(query, rows.at(-1)) };
  }

  async #readPage(query: AssetQuery, walk: SearchWalk, assets: PathAssets): Promise<readonly Row[]> {
    const { start } = query;
    switch (start.kind) {
      case "page":
        return walk.window((start.page - 1) * query.limit);
      case "after":
        return walk.after(await this.#findRow("after", start.id, assets), query.direction);
      case "before": {
        // The page before, in the same order, is the page after in the other one, turned round.
        const turned = query.direction === "asc" ? "desc" : "asc";
        return (await walk.after(await this.#findRow("before", start.id, assets), turned)).toReversed();
      }
      case "cursor": {
        const { position, id } = decodeAssetCursor(start.cursor, query);
        return walk.after(
          { ordinal: position, id, createdSlot: position, updatedSlot: position },
          query.direction,
        );
      }
      default:
        return start satisfies never;
    }
  }

  async #findRow(parameter: string, id: Uint8Array, assets: PathAssets): Promise<Row> {
    const changed = assets.byId.get(addressKey(id));
    if (changed !== undefined) {
      const { asset, ordinal } = changed;
      if (asset !== null && ordinal !== null) return { ...asset, ordinal };
    } else {
      const [stored] = await this.#base.terms.readFacts([id]);
      if (stored !== undefined && stored !== null) return stored;
    }
    throw new LamplightError("PARAM__INVALID", {
      parameter,
      position: null,
      reason: "is not an asset known here",
    });
  }
}
