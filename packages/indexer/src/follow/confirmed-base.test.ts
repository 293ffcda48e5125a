import { encodeAddress } from "@lamplight/codecs";
import { type LedgerState, type TreeState, writeTreeState } from "@lamplight/core";
import { expect, test } from "vitest";
import { readTreeSlot } from "./confirmed-base.ts";

const key = new Uint8Array(32).fill(7);
const FINALIZED = 900;

const slotOf = (state: TreeState | null): Promise<number> => {
  const row: LedgerState | null =
    state === null ? null : { kind: "tree", key, tree: key, state: writeTreeState(state) };
  return readTreeSlot({ readLedger: async () => [row] }, encodeAddress(key), FINALIZED);
};

test.each([
  ["a tree that is not known", null, 0],
  ["a complete tree", { ranges: [[1, 5]], slots: [[10, 50]], accountSeq: 5 }, 50],
  ["a complete tree without known slots", { ranges: [[1, 5]], accountSeq: 5 }, FINALIZED],
  ["a tree without changes", { ranges: [], accountSeq: 0 }, 0],
  [
    "a gap within the changes",
    {
      ranges: [
        [1, 5],
        [8, 9],
      ],
      slots: [
        [10, 50],
        [80, 90],
      ],
      accountSeq: 9,
    },
    50,
  ],
  ["an account that is ahead", { ranges: [[1, 5]], slots: [[10, 50]], accountSeq: 6 }, 50],
  ["a first change that is missing", { ranges: [[2, 5]], slots: [[20, 50]], accountSeq: 5 }, 0],
  ["no change", { ranges: [], accountSeq: 5 }, 0],
  ["slots that are not known", { ranges: [[1, 5]], accountSeq: 6 }, 0],
  [
    "a former life",
    { ranges: [[1, 5]], slots: [[10, 50]], accountSeq: 6, former: [{ ranges: [[1, 2]], accountSeq: 2 }] },
    0,
  ],
] as const satisfies readonly (readonly [string, TreeState | null, number])[])(
  "the first slot that is needed: %s",
  async (_, state, slot) => {
    expect(await slotOf(state)).toBe(slot);
  },
);
