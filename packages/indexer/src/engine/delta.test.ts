import type { Asset } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { account, tokenAccount } from "../../test/encode-accounts.ts";
import type { Delta } from "./delta.ts";
import { DeltaDraft, mergeDeltas } from "./delta-draft.ts";

const idOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const assetOf = (number: number, name = ""): Asset =>
  ({ id: idOf(number), name, document: "{}", extras: null }) as Asset;
const deltaOf = (fill: (draft: DeltaDraft) => void): Delta => {
  const draft = new DeltaDraft();
  fill(draft);
  return draft.finish(null);
};

describe("deltas of a path as one", () => {
  test("hold what was last, and remove an asset that came again before it is new", () => {
    const oldest = deltaOf((draft) => {
      draft.setAsset(idOf(1), assetOf(1));
      draft.setAsset(idOf(2), assetOf(2));
      draft.setAsset(idOf(3), assetOf(3));
      draft.addLink({ role: "member", target: idOf(9), source: idOf(1) });
      draft.setEdition(idOf(5), { address: idOf(5), parent: idOf(6), mint: idOf(7), number: 1n });
    });
    const middle = deltaOf((draft) => {
      draft.setAsset(idOf(1), null);
      draft.setAsset(idOf(3), null);
      draft.removeLink({ role: "member", target: idOf(9), source: idOf(1) });
      draft.setEdition(idOf(5), null);
    });
    const newest = deltaOf((draft) => {
      draft.setAsset(idOf(1), assetOf(1, "again"));
      draft.setAsset(idOf(2), assetOf(2, "later"));
    });
    const watermark = { slot: 3, blockhash: null };
    const merged = mergeDeltas([newest, middle, oldest], watermark);
    expect(merged.watermark).toEqual(watermark);
    expect(merged.assets).toEqual([assetOf(2, "later"), assetOf(1, "again")]);
    expect(merged.assetsRemoved).toEqual([idOf(3), idOf(1)]);
    expect([merged.linksAdded.length, merged.linksRemoved.length]).toEqual([0, 1]);
    expect([merged.editions, merged.editionsRemoved]).toEqual([[], [idOf(5)]]);
    // Merging in two steps gives the same result as merging in one.
    const inSteps = mergeDeltas([newest, mergeDeltas([middle, oldest])], watermark);
    expect(inSteps.assets).toEqual(merged.assets);
    expect(new Set(inSteps.assetsRemoved)).toEqual(new Set(merged.assetsRemoved));
  });

  test("know every holding that changed on the way", () => {
    const held = { mint: idOf(3), amount: 1n };
    const versions = [1, 2, 3].map((owner) => tokenAccount(idOf(4), owner, { ...held, owner: idOf(owner) }));
    const [first, second] = [0, 1].map((from) =>
      deltaOf((draft) =>
        draft.setState(
          { current: versions[from + 1]!, lastLife: null },
          { current: versions[from]!, lastLife: null },
        ),
      ),
    );
    expect(mergeDeltas([second!, first!]).holdings.size).toBe(3);
  });
});

test("a delta is empty without a watermark and changes", () => {
  const none = deltaOf(() => {});
  expect(none.isEmpty).toBe(true);
  expect(mergeDeltas([none], { slot: 1, blockhash: null }).isEmpty).toBe(false);
  const current = account(idOf(1), idOf(0), [], 1);
  expect(deltaOf((draft) => draft.setState({ current, lastLife: null }, null)).isEmpty).toBe(false);
});
