import { expect } from "vitest";
import type { Afternoon } from "../afternoon.ts";
import type { Step } from "../step.ts";
import { until } from "../until.ts";

const HOUR_MS = 3_600_000;

export const breakClock: Step = {
  title: "the clock is set two days ahead, two days back, and right",
  run: async (afternoon) => {
    afternoon.keys.set("guest", await afternoon.succeed("keys", "create", "guest", "--expires", "1d"));
    await untilStatus(afternoon, "guest", 200);
    for (const [hours, status] of [
      [48, 403],
      [-48, 200],
      [0, 200],
    ] as const) {
      afternoon.shiftClock(hours * HOUR_MS);
      for (const node of [afternoon.writer, afternoon.server]) {
        const { metrics } = await node.counts("lamplight_time_seconds", (time) => hoursAhead(time) === hours);
        expect(Math.round(metrics.find("lamplight_follow_message_age_seconds") ?? 0)).toBeLessThan(
          HOUR_MS / 1000,
        );
      }
      await untilStatus(afternoon, "guest", status);
      // A stream that begins under this clock is followed as any other.
      afternoon.chain.upstream.cutOff();
      const finalized = (await afternoon.writer.seesReady()).metrics.find(finalizedSlot, atFinalized)!;
      await until(async () => {
        const seen = await afternoon.writer.seesReady();
        return seen.metrics.find(finalizedSlot, atFinalized)! > finalized ? seen : null;
      });
    }
  },
};

const finalizedSlot = "lamplight_follow_slot";
const atFinalized = { commitment: "finalized" };

const hoursAhead = (seconds: number): number => Math.round((seconds * 1000 - Date.now()) / HOUR_MS) + 0;

const untilStatus = (afternoon: Afternoon, name: string, status: number): Promise<true> =>
  until(async () => ((await afternoon.callStatus(name)) === status ? true : null));
