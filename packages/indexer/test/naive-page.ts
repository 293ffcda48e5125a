import type { AssetQuery } from "@lamplight/core";

export interface Position {
  readonly id: Uint8Array;
  readonly position: number;
}

/** @param side - below zero for assets before the place the page starts at, above for those behind it */
export const cut = <One>(
  query: AssetQuery,
  all: readonly One[],
  side: (asset: One) => number,
): readonly One[] => {
  const { start, limit } = query;
  if (start.kind === "page") return all.slice((start.page - 1) * limit, start.page * limit);
  if (start.kind === "before") return all.filter((asset) => side(asset) < 0).slice(-limit);
  return all.filter((asset) => side(asset) > 0).slice(0, limit);
};
