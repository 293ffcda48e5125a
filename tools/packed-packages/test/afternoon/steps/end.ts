import { expect } from "vitest";
import type { Step } from "../step.ts";

const DAY_MS = 86_400_000;

/** Days around now, in which the clock was set. */
const DAYS = 3;

export const end: Step = {
  title: "everything ends, every call is accounted for, and the store is sound",
  run: async (afternoon) => {
    await afternoon.stopNodes();
    const [from, to] = [-DAYS, DAYS].map((days) =>
      new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10),
    );
    const usage = await afternoon.succeed("keys", "usage", "--from", from!, "--to", to!);
    const rows = usage
      .split("\n")
      .slice(1)
      .map((row) => row.split(","));
    const requests = new Map<string, number>();
    for (const [, key, , count] of rows) requests.set(key!, (requests.get(key!) ?? 0) + Number(count));
    expect(requests).toEqual(new Map(afternoon.tally.admitted));
    const verified = await afternoon.succeed("verify", "--store", afternoon.place.storeUrl);
    expect(verified).toContain(": sound");
  },
};
