import type { Asset, DerivedAssets, Edition } from "@lamplight/core";
import { ruleBook } from "../../programs/rule-book.ts";
import { shapeAsset } from "../../record/shape-asset.ts";
import { deriveView } from "../derive-assets.ts";
import { claimsStage, type SpillPlace } from "./claim-spill.ts";
import { partsStage } from "./join-partition.ts";
import { viewsOf } from "./partition-views.ts";
import { readSpills } from "./spill-files.ts";

/**
 * Third step: derives the assets of a partition from what the first two left there, by the same rules and over the
 * same views as updates. Assets come ascending by their id; all joins have to be in the files. A new store has no
 * off-chain documents yet.
 */
export const derivePartition = (place: SpillPlace, partition: number): DerivedAssets => {
  const spills = [claimsStage, partsStage].flatMap((stage) => readSpills(place, stage, partition));
  const assets: Asset[] = [];
  const editions: Edition[] = [];
  for (const { view, seen } of viewsOf(spills)) {
    const { record, createdSlot, editions: proved } = deriveView(view, ruleBook, seen);
    if (record !== null) assets.push(shapeAsset(record, createdSlot));
    editions.push(...proved);
  }
  return { assets, editions };
};
