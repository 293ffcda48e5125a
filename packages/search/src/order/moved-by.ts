import type { AssetChange, SortKey } from "@lamplight/core";
import type { AssetColumns } from "../asset-columns.ts";
import type { OrdinalSet } from "../bitmap/ordinal-set.ts";

/** A sort whose order is kept. The order of the store is that of the ordinals. */
export type KeptSort = Exclude<SortKey, "none">;

export const sorts = ["id", "created", "updated"] as const satisfies readonly KeptSort[];

/**
 * The changes that move an asset in each order. Most changes leave id and first slot as they are: those orders keep
 * still.
 *
 * @param existing - assets before the changes
 */
export const movedBy = (
  changes: readonly AssetChange[],
  columns: AssetColumns,
  existing: OrdinalSet,
): { readonly [Sort in KeptSort]: readonly AssetChange[] } => {
  const stays = ({ ordinal, facts }: AssetChange): boolean =>
    facts !== null && existing.has(ordinal) && columns.compareIdTo(ordinal, facts.id) === 0;
  const id = changes.filter((change) => !stays(change));
  const isNew = new Set(id);
  const moves = (change: AssetChange, slot: "createdSlot" | "updatedSlot"): boolean =>
    isNew.has(change) || columns[slot](change.ordinal) !== change.facts?.[slot];
  return {
    id,
    created: changes.filter((change) => moves(change, "createdSlot")),
    updated: changes.filter((change) => moves(change, "updatedSlot")),
  };
};
