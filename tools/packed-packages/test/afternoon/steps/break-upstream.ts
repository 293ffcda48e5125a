import { expect } from "vitest";
import type { Step } from "../step.ts";

export const breakUpstream: Step = {
  title: "the upstream ends and comes back, and loses slots and finds them",
  run: async (afternoon) => {
    const { chain, writer } = afternoon;
    const before = await writer.seesReady();
    chain.upstream.stop();
    const lost = await writer.sees("disconnected");
    expect(lost.metrics.find("lamplight_follow_connected")).toBe(0);
    expect(await afternoon.callStatus("operator")).toBe(200);
    await chain.upstream.start();
    const found = await writer.seesReady();
    const connections = "lamplight_follow_connections_total";
    expect(found.metrics.find(connections)).toBeGreaterThan(before.metrics.find(connections)!);
    expect(found.metrics.find("lamplight_follow_connected")).toBe(1);

    chain.upstream.replayMode = { kind: "none" };
    chain.loseSlots();
    const gap = await writer.sees("gap");
    expect(gap.metrics.find("lamplight_follow_gap")).toBe(1);
    expect(await afternoon.callStatus("operator")).toBe(200);
    chain.upstream.replayMode = { kind: "all" };
    chain.upstream.cutOff();
    const filled = await writer.seesReady();
    expect(filled.metrics.find("lamplight_follow_gap")).toBe(0);
    expect(filled.metrics.find("lamplight_follow_gaps_total")).toBeGreaterThan(0);
  },
};
