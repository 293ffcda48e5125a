import type { SearchAssetsParams } from "@lamplight/contract";
import type { AssetQuery, PageStart, SortKey } from "../domain/search.ts";
import { parseAssetAddress } from "./parse-params.ts";
import { assertOnePageStart, parseLimit, parsePage } from "./paging.ts";
import { parseCriteria } from "./search-criteria.ts";

const sortKeys = {
  id: "id",
  created: "created",
  updated: "updated",
  recent_action: "updated",
  none: "none",
} as const satisfies Record<string, SortKey>;

/** The query a search answers, from checked parameters. Decisions 15 to 18 give the defaults. */
export const parseSearchQuery = (params: SearchAssetsParams): AssetQuery => {
  assertOnePageStart(params);
  return {
    criteria: parseCriteria(params),
    match: params.conditionType ?? "all",
    negate: params.negate ?? false,
    sort: sortKeys[params.sortBy?.sortBy ?? "id"],
    direction: params.sortBy?.sortDirection ?? "desc",
    start: parseStart(params),
    limit: parseLimit(params.limit),
  };
};

const parseStart = (params: SearchAssetsParams): PageStart => {
  if (params.before !== undefined) return { kind: "before", id: parseAssetAddress("before", params.before) };
  if (params.after !== undefined) return { kind: "after", id: parseAssetAddress("after", params.after) };
  if (params.cursor !== undefined) return { kind: "cursor", cursor: params.cursor };
  return { kind: "page", page: parsePage(params.page) };
};
