import type { AddressBytes, Ordinal } from "@lamplight/core";
import type { PathAsset, PathAssets } from "@lamplight/indexer";
import type { NumberedDelta, NumberedPath } from "../numbered-delta.ts";

/** The keys that a path touches, with what they are at its end. */
export interface Touched {
  /** Assets as they are at the end of the path. `hidden` has every ordinal that one of them has had on it. */
  readonly assets: PathAssets;
  /** Addresses of prints. */
  readonly editions: readonly AddressBytes[];
}

const known = new WeakMap<NumberedDelta, { readonly length: number; readonly touched: Touched }>();
const nothing: Touched = {
  assets: { byId: new Map(), byOrdinal: new Map(), hidden: new Set() },
  editions: [],
};

/** Views of one state share it. */
export const touchedBy = (path: NumberedPath): Touched => {
  const [top] = path;
  if (top === undefined) return nothing;
  const kept = known.get(top);
  if (kept?.length === path.length) return kept.touched;
  const touched = { assets: assetsOf(path), editions: editionsOf(path) };
  known.set(top, { length: path.length, touched });
  return touched;
};

const assetsOf = (path: NumberedPath): PathAssets => {
  const byId = new Map<string, PathAsset>();
  const hidden = new Set<Ordinal>();
  for (const { delta, numbers } of path.toReversed())
    for (const [key, { id, asset }] of delta.assetChanges) {
      const { removed, put } = numbers.get(key)!;
      if (removed !== null) hidden.add(removed.ordinal);
      if (put !== null) hidden.add(put.ordinal);
      // No fact of the base is known here: it may be of any state.
      byId.set(key, { id, asset, before: null, ordinal: put?.ordinal ?? null });
    }
  const byOrdinal = new Map<Ordinal, PathAsset>();
  for (const one of byId.values()) if (one.ordinal !== null) byOrdinal.set(one.ordinal, one);
  return { byId, byOrdinal, hidden };
};

const editionsOf = (path: NumberedPath): readonly AddressBytes[] => {
  const found = new Map<string, AddressBytes>();
  for (const { delta } of path)
    for (const [key, { address }] of delta.editionChanges) found.set(key, address);
  return [...found.values()];
};
