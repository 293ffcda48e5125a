import { createProgress, createStageReporter } from "@lamplight/runtime";
import { expect, test } from "vitest";

import { LoadMetrics } from "./load-metrics.ts";
import { readMetricsAddress, withMetricsPort } from "./metrics-flags.ts";

test("a load serves how far it is, on a port that ends with it", async () => {
  const measured = new LoadMetrics();
  const said: string[] = [];
  const stages = measured.watchStages(createStageReporter({ write: (text) => said.push(text) }));
  const address = readMetricsAddress({ "metrics-port": "0" })!;
  let url = "";
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = ((text: string) => {
    url = /metrics: (\S+)/u.exec(text)?.[1] ?? url;
    return true;
  }) as typeof process.stderr.write;
  const read = async (path: string): Promise<string> => (await fetch(url.replace("/metrics", path))).text();
  try {
    await withMetricsPort(address, measured, async () => {
      expect(await read("/metrics")).toContain('lamplight_load_stage{stage="starting"} 1\n');
      stages.update({ stage: "read", share: 0.25, accounts: 7, bytes: 900 });
      const text = await read("/metrics");
      expect(text).toContain('lamplight_load_stage{stage="read"} 1\n');
      expect(text).toContain("lamplight_load_stage_ratio 0.25\n");
      expect(text).toContain("lamplight_load_stage_items 7\n");
      expect(text).toContain("# UNIT lamplight_load_stage_bytes bytes\nlamplight_load_stage_bytes 900\n");
      expect(text).toContain('lamplight_readiness{status="loading",reason=""} 1\n');
      expect(text).toMatch(/^process_cpu_seconds_total \d/mu);
      measured
        .watchProgress(createProgress("accounts", { write: () => true }))
        .update({ done: 5, total: 10, count: 3 });
      expect(await read("/metrics")).toContain("lamplight_load_stage_ratio 0.5\n");
      expect(await read("/readyz")).toBe('{"status":"loading"}');
    });
  } finally {
    process.stderr.write = write;
  }
  expect(said).toHaveLength(1);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("a host without a port is refused", () => {
  expect(readMetricsAddress({})).toBeNull();
  expect(() => readMetricsAddress({ "metrics-host": "::" })).toThrow("--metrics-host needs --metrics-port");
  expect(() => readMetricsAddress({ "metrics-port": "x" })).toThrow("--metrics-port must be a port");
});
