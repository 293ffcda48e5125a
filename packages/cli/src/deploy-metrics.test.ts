// Alert rules, dashboard and runbook name what a running process has.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { followReasons, storeTroubles } from "@lamplight/core";
import { createKey, noLimits, openKeyStore } from "@lamplight/server/command";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  alerts,
  alertsFile,
  declaredMetrics,
  isOfRpc,
  namedMetrics,
  runbook,
} from "../test/deploy-metrics.ts";
import { FollowedChain, untilLogged } from "../test/followed-chain.ts";

let folder: string;
let chain: FollowedChain;
let text: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-deploy-"));
  const clean = `sqlite:${join(folder, "clean.db")}`;
  chain = await FollowedChain.start({ store: `sqlite:${join(folder, "index.db")}`, clean, seed: 5 });
  const keyStore = join(folder, "keys.json");
  await createKey(await openKeyStore(keyStore), { name: "acme", expires: null, limits: noLimits });
  const running = chain.serveAndFollow("--metrics-port", "0", "--key-store", keyStore);
  const line = await untilLogged(running, /"msg":"metrics"/u);
  await untilLogged(running, /"msg":"serving"/u);
  const { url } = JSON.parse(line) as { readonly url: string };
  text = await (await fetch(url)).text();
}, 600_000);
afterAll(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

describe("alerts and dashboard", () => {
  test("name metrics that a process has which follows and serves", () => {
    const declared = declaredMetrics(text);
    expect(namedMetrics.size).toBeGreaterThan(30);
    expect([...namedMetrics].filter((name) => !declared.has(name) && !isOfRpc(name))).toEqual([]);
  });

  test("every metric of ours has a help, and its unit as its last word", () => {
    const names = Array.from(text.matchAll(/^# TYPE (lamplight_\w+) /gmu), ([, name]) => name!);
    for (const name of names) expect(text).toMatch(new RegExp(`^# HELP ${name} [A-Z].+[^.]$`, "mu"));
    const units = names.filter((name) => /seconds|bytes/u.test(name));
    for (const name of units) expect(name).toMatch(/_(?:seconds|bytes)(?:_total)?$/u);
  });

  const promtool = spawnSync("promtool", ["--version"]).error === undefined;
  if (!promtool)
    console.warn("promtool is not installed (Debian: apt-get install prometheus); two tests are skipped");

  test.skipIf(!promtool)("promtool takes the rules", () => {
    const { status, stderr } = spawnSync("promtool", ["check", "rules", alertsFile], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  test.skipIf(!promtool)("promtool takes the metrics", () => {
    const { stderr } = spawnSync("promtool", ["check", "metrics"], { encoding: "utf8", input: text });
    // Names of the library that measures Node are not ours to choose.
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("nodejs_"))).toEqual([]);
  });
});

describe("RUNBOOK.md", () => {
  const sections = Array.from(runbook.matchAll(/^### (.+)$/gmu), ([, title]) => title!);

  test("has one section for each alert and each reason of readiness", () => {
    const ofProcess = ["starting", "standing by", "stopping", "busy"];
    const reasons = new Set([...ofProcess, ...storeTroubles, ...followReasons]);
    expect(sections.toSorted()).toEqual([...alerts.map(({ alert }) => alert), ...reasons].toSorted());
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`RUNBOOK.md#${alert.toLowerCase()}`);
  });

  test("says in each what it means, what to check and what to do", () => {
    for (const section of runbook.split(/^### /mu).slice(1))
      for (const part of ["**Means:** ", "**Check:** ", "**Do:** "]) expect(section).toContain(part);
  });
});
