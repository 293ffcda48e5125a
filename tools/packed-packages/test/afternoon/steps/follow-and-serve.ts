import { expect } from "vitest";
import type { Step } from "../step.ts";

export const followAndServe: Step = {
  title: "the chain is followed and served",
  run: async (afternoon) => {
    afternoon.keys.set("operator", await afternoon.succeed("keys", "create", "operator"));
    await afternoon.startNodes();
    await afternoon.server.seesReady();
    await afternoon.writer.seesReady();
    expect(await afternoon.callStatus("operator")).toBe(200);
    await afternoon.writer.counts("lamplight_follow_finalized_commits_total", (commits) => commits > 0);
    const { metrics } = await afternoon.writer.seesReady();
    const gauges = ["connected", "gap", "stalled", "store_problem", "differing_assets_total"];
    expect(gauges.map((name) => metrics.find(`lamplight_follow_${name}`))).toEqual([1, 0, 0, 0, 0]);
  },
};
