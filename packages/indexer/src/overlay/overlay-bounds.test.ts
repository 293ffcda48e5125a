import { expect, test } from "vitest";
import { isHalfFull, isOverBounds } from "./overlay-bounds.ts";

const state = {
  finalizedSlot: 1,
  confirmedSlot: 1,
  processedSlot: 1,
  unfinalizedSlots: 0,
  unfinalizedVersions: 0,
  unfinalizedBytes: 0,
  unfinalizedAssets: 0,
  unfinalizedAssetBytes: 0,
  droppedSlots: 0,
  standstillSeconds: 0,
  forks: 0,
};

test.each([
  ["standstillSeconds", "standstillSecondsMax"],
  ["unfinalizedSlots", "slotsMax"],
  ["unfinalizedVersions", "versionsMax"],
  ["unfinalizedBytes", "bytesMax"],
  ["unfinalizedAssets", "assetsMax"],
  ["unfinalizedAssetBytes", "assetBytesMax"],
])("what fills the store leaves half of %s to the chain", (count, bound) => {
  const bounds = { [bound]: 100 };
  const at = (value: number) => ({ ...state, [count]: value });
  expect([isHalfFull(at(49), bounds), isHalfFull(at(50), bounds)]).toEqual([false, true]);
  expect([isOverBounds(at(50), bounds), isOverBounds(at(100), bounds)]).toEqual([false, true]);
});
