import type { Ordinal } from "@lamplight/core";
import type { Delta } from "@lamplight/indexer";
import type { Counters } from "@lamplight/store-postgres";
import type { AssetNumbers } from "../numbered-delta.ts";

interface Numbered extends Pick<Counters, "changeSeq" | "nextOrdinal"> {
  readonly numbers: ReadonlyMap<string, AssetNumbers>;
}

/**
 * Gives the numbers that one commit of a store in one database would give: removals first, then new states.
 *
 * @param known - ordinals before the delta, by the keys of `assetChanges`; null = not there
 */
export const numberDelta = (
  { assetChanges }: Delta,
  known: ReadonlyMap<string, Ordinal | null>,
  counters: Pick<Counters, "changeSeq" | "nextOrdinal">,
): Numbered => {
  let { changeSeq, nextOrdinal } = counters;
  const removals = new Map<string, AssetNumbers["removed"]>();
  for (const [key, { asset, isRecreated }] of assetChanges) {
    const ordinal = known.get(key) ?? null;
    const isRemoved = ordinal !== null && (asset === null || isRecreated);
    removals.set(key, isRemoved ? { ordinal, changeSeq: (changeSeq += 1) } : null);
  }
  const numbers = new Map<string, AssetNumbers>();
  for (const [key, { asset }] of assetChanges) {
    const removed = removals.get(key)!;
    const ordinal = removed === null ? (known.get(key) ?? null) : null;
    const put = asset === null ? null : { ordinal: ordinal ?? nextOrdinal++, changeSeq: (changeSeq += 1) };
    numbers.set(key, { removed, put });
  }
  return { numbers, changeSeq, nextOrdinal };
};
