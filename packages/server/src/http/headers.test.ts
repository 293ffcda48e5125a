import { type Commitment, RequestViews, type ViewSource, type ReadView } from "@lamplight/core";
import { describe, expect, test } from "vitest";

import { viewHeaders } from "./headers.ts";

/** Views that know nothing but where they stand. */
const viewsAt = async (
  views: readonly { commitment: Commitment; slot: number; trees: readonly string[] }[],
) => {
  const viewSource: ViewSource = {
    openView: (commitment) => {
      const { slot } = views.find((view) => view.commitment === commitment)!;
      return { slot } as ReadView;
    },
  };
  const requestViews = new RequestViews(viewSource);
  for (const { commitment, trees } of views) {
    await requestViews.view(commitment);
    requestViews.noteIncompleteTrees(trees);
  }
  return requestViews;
};

describe("viewHeaders", () => {
  test("names the slot when all was read at one", async () => {
    const views = await viewsAt([
      { commitment: "finalized", slot: 7, trees: [] },
      { commitment: "confirmed", slot: 7, trees: [] },
    ]);
    expect(viewHeaders(views)).toEqual(["X-Slot", "7"]);
  });

  test("leaves the slot out when there are several, or none", async () => {
    const views = await viewsAt([
      { commitment: "finalized", slot: 7, trees: [] },
      { commitment: "confirmed", slot: 9, trees: [] },
    ]);
    expect(viewHeaders(views)).toEqual([]);
    expect(viewHeaders(await viewsAt([]))).toEqual([]);
  });

  test("names the slot of the last update, where the answer is one asset", async () => {
    const views = await viewsAt([{ commitment: "finalized", slot: 7, trees: [] }]);
    views.noteUpdatedSlot(0);
    expect(viewHeaders(views)).toEqual(["X-Slot", "7", "X-Updated-Slot", "0"]);
  });

  test("says where an answer lists only what dumps hold", async () => {
    const views = await viewsAt([{ commitment: "finalized", slot: 7, trees: [] }]);
    views.notePartial();
    expect(viewHeaders(views)).toEqual(["X-Slot", "7", "X-Coverage", "partial"]);
  });

  test("names trees with gaps once each, and counts those beyond the bound", async () => {
    const trees = Array.from({ length: 23 }, (_, index) => `tree${index}`);
    const views = await viewsAt([
      { commitment: "finalized", slot: 7, trees },
      { commitment: "confirmed", slot: 7, trees: trees.slice(0, 3) },
    ]);
    expect(viewHeaders(views)).toEqual([
      "X-Slot",
      "7",
      "X-Incomplete-Trees",
      `${trees.slice(0, 20).join(", ")}, +3`,
    ]);
  });
});
