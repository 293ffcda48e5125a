import type { AssetPlace, AssetQuery, SortKey } from "../domain/search.ts";
import type { AssetPosition } from "../ports/term-reader.ts";

export type SortOrder = Pick<AssetQuery, "sort" | "direction">;

/** Position of an asset in that order. */
export const placeIn = (sort: SortKey, asset: AssetPosition): AssetPlace => ({
  position: positionIn(sort, asset),
  id: asset.id,
});

const positionIn = (sort: SortKey, { ordinal, createdSlot, updatedSlot }: AssetPosition): number => {
  switch (sort) {
    case "id":
      return 0;
    case "none":
      return ordinal;
    case "created":
      return createdSlot;
    case "updated":
      return updatedSlot;
    default:
      return sort satisfies never;
  }
};

/** Negative when `a` comes first in that order. Equal values are sorted by id; ordinals are never equal. */
export const comparePlaces = ({ sort, direction }: SortOrder, a: AssetPlace, b: AssetPlace): number => {
  const ascending = a.position - b.position || (sort === "none" ? 0 : Buffer.compare(a.id, b.id));
  return direction === "asc" ? ascending : -ascending;
};
