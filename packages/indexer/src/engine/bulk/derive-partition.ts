import type { AssetWithEditions } from "@lamplight/core";
import { ruleBook } from "../../programs/programs.ts";
import { deriveView } from "../derive-assets.ts";
import { claimsStage, type SpillPlace } from "./claim-spill.ts";
import { partsStage } from "./join-partition.ts";
import { viewsOf } from "./partition-views.ts";
import { readSpills } from "./spill-files.ts";

/**
 * Third step of a bulk load: derives the assets of a partition from the records of the first two steps, by the same
 * rules as updates. Assets come one at a time, ascending by id, so that memory stays flat. All joins must be written
 * before. A new store has no off-chain documents yet.
 */
export function* derivePartition(place: SpillPlace, partition: number): Generator<AssetWithEditions, void> {
  const spills = [claimsStage, partsStage].flatMap((stage) => readSpills(place, stage, partition));
  for (const { view, seen } of viewsOf(spills)) {
    const { record, createdSlot, editions } = deriveView(view, ruleBook, seen);
    yield { asset: record === null ? null : ruleBook.shape(record, createdSlot), editions };
  }
}
