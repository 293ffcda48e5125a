import { array, assert, asyncProperty, constantFrom, double, oneof, tuple } from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";

import { Timing } from "./timing.ts";

/** The values of a metric by name and labels. */
const byLabels = (values: readonly { metricName?: string | undefined; labels: object; value: number }[]) =>
  Object.fromEntries(
    values.map(({ metricName, labels, value }) => [
      JSON.stringify([metricName, Object.entries(labels).toSorted()]),
      value,
    ]),
  );

test("counts what the histogram of prom-client counts", async () => {
  const times = oneof(
    double({ min: 0, max: 60, noNaN: true }),
    // On the bounds.
    constantFrom(0, 0.0001, 0.00025, 0.05, 1, 30),
  );
  const observed = array(tuple(constantFrom("a", "b"), constantFrom("ok", "error"), times));
  await assert(
    asyncProperty(observed, async (all) => {
      const timing = new Timing("call_seconds", "Calls", ["method", "outcome"]);
      timing.observe("a", "ok", 0);
      const bounds = timing.family.values
        .map(({ labels }) => labels["le"])
        .filter((bound) => typeof bound === "number");
      const oracle = new Histogram({
        name: "call_seconds",
        help: "Calls",
        labelNames: ["method", "outcome"],
        buckets: bounds,
        registers: [new Registry()],
      });
      oracle.observe({ method: "a", outcome: "ok" }, 0);
      for (const [method, outcome, seconds] of all) {
        timing.observe(method, outcome, seconds);
        oracle.observe({ method, outcome }, seconds);
      }
      expect(byLabels(timing.family.values)).toEqual(byLabels((await oracle.get()).values));
    }),
  );
});
