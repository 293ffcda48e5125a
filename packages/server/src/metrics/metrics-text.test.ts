import type { MetricFamily } from "@lamplight/core";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";

import { metricsText } from "./metrics-text.ts";

/** What one thread has measured. */
const thread = async (...seconds: readonly number[]): Promise<readonly MetricFamily[]> => {
  const registry = new Registry();
  const histogram = new Histogram({
    name: "wait_seconds",
    help: "Waits",
    labelNames: ["reason"],
    buckets: [1, 2],
    registers: [registry],
  });
  for (const value of seconds) histogram.observe({ reason: "start" }, value);
  const answers: MetricFamily = {
    name: "answers_total",
    help: "Answers",
    type: "counter",
    values: [{ value: seconds.length, labels: { status: 200 } }],
  };
  return [...((await registry.getMetricsAsJSON()) as unknown as readonly MetricFamily[]), answers];
};

const lag = (value: number): MetricFamily => ({
  name: "lag_slots",
  help: "Lag",
  type: "gauge",
  values: [{ value, labels: {} }],
  aggregator: "max",
});

test("adds up the threads, histograms included, and names units", async () => {
  const parts = [await thread(0.5, 1.5), [...(await thread(1.5, 9)), lag(2)], [lag(7)]];
  const lines = (await metricsText(parts, "prometheus")).body.split("\n");
  expect(lines.filter((line) => line.startsWith("wait_seconds"))).toEqual([
    'wait_seconds_bucket{le="1",reason="start"} 1',
    'wait_seconds_bucket{le="2",reason="start"} 3',
    'wait_seconds_bucket{le="+Inf",reason="start"} 4',
    'wait_seconds_sum{reason="start"} 12.5',
    'wait_seconds_count{reason="start"} 4',
  ]);
  expect(lines).toEqual(
    expect.arrayContaining([
      "# HELP wait_seconds Waits",
      "# TYPE wait_seconds histogram",
      "# UNIT wait_seconds seconds",
      'answers_total{status="200"} 4',
      "lag_slots 7",
    ]),
  );
  expect(
    lines.some((line) => /^lamplight_build_info\{version="[^"]+",node="\d+\.\d+\.\d+"\} 1$/u.test(line)),
  ).toBe(true);
});

test("writes OpenMetrics: a counter's family has no suffix, NaN has its name, and the text has an end", async () => {
  const { body: text, contentType } = await metricsText([await thread(1), [lag(Number.NaN)]], "openmetrics");
  expect(contentType).toMatch(/^application\/openmetrics-text; version=1\.0\.0/u);
  expect(text).toContain('# TYPE answers counter\nanswers_total{status="200"} 1\n');
  expect(text).toContain("# UNIT lag_slots slots\nlag_slots NaN\n");
  expect(text).not.toContain("total_total");
  expect(text.endsWith("\n# EOF\n")).toBe(true);
});
