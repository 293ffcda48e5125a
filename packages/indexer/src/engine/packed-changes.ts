import type { AssetChange, DeltaMaps } from "./delta.ts";
import { packAsset } from "./packed-asset.ts";

/** Compresses the long texts of a change while it waits for its slot to be finalized. */
export const packChange = (change: AssetChange): AssetChange =>
  change.asset === null ? change : { ...change, asset: packAsset(change.asset) };

export const packChanges = (changes: DeltaMaps["assetChanges"]): DeltaMaps["assetChanges"] =>
  new Map(Array.from(changes, ([key, change]) => [key, packChange(change)]));
