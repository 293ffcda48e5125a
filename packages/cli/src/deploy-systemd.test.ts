// The units of deploy/systemd: systemd's own checks, where it is installed, and every command, flag and variable in them.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "@lamplight/server";
import { describe, expect, test } from "vitest";
import { commandLoaders } from "./registry.ts";

const folder = fileURLToPath(new URL("../deploy/systemd", import.meta.url));
const guide = readFileSync(join(folder, "../README.md"), "utf8");
const units = readdirSync(folder);

/** Values of a setting that can be given several times. */
const valuesOf = (unit: string, setting: string): readonly string[] =>
  readFileSync(join(folder, unit), "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${setting}=`))
    .map((line) => line.slice(setting.length + 1));

const analyze = (...args: readonly string[]) =>
  spawnSync("systemd-analyze", [...args], { encoding: "utf8", cwd: folder });
const isInstalled = analyze("--version").status === 0;
if (!isInstalled)
  console.warn("SKIPPED: systemd-analyze is not installed, so it does not check deploy/systemd");

/** Limit on a scale of 0 to 100; systemd calls 20 and less "OK". */
const EXPOSURE_MAX = 20;

test("there are an API node, an ingester and one process over a file", () =>
  expect(units.toSorted()).toEqual([
    "lamplight-follow@.service",
    "lamplight-serve@.service",
    "lamplight.service",
  ]));

describe.each(units)("%s", (unit) => {
  test.skipIf(!isInstalled)("is a unit that systemd reads without a warning", () => {
    const { status, stderr, stdout } = analyze("verify", join(folder, unit));
    expect([status, stderr, stdout]).toEqual([0, "", ""]);
  });

  test.skipIf(!isInstalled)("exposes little of the machine", () => {
    const { status, stdout, stderr } = analyze(
      "security",
      "--offline=true",
      `--threshold=${EXPOSURE_MAX}`,
      join(folder, unit),
    );
    expect(status, stdout + stderr).toBe(0);
  });

  test("runs a command that there is, with flags and variables that it reads", async () => {
    const [, program, ...words] = valuesOf(unit, "ExecStart")[0]!.split(" ");
    expect(program).toBe("lamplight");
    const name = Object.keys(commandLoaders).find((one) => `${words.join(" ")} `.startsWith(`${one} `));
    expect(name).toBeDefined();
    const { usage } = await commandLoaders[name!]!();
    const flags = words.filter((word) => word.startsWith("--"));
    for (const flag of flags) expect(usage).toMatch(new RegExp(`${flag}\\b`, "u"));
    const variables = valuesOf(unit, "Environment").flatMap(
      (line) => line.match(/LAMPLIGHT_[A-Z_]+/gu) ?? [],
    );
    for (const variable of variables) expect(usage).toContain(variable.replace(/_FILE$/u, ""));
  });

  test("waits until calls have ended, and starts again however often it ended", () => {
    const [lameDuck] = valuesOf(unit, "Environment").flatMap(
      (line) => /LAME_DUCK_MS=(\d+)/u.exec(line)?.[1] ?? [],
    );
    const stopMs = Number(valuesOf(unit, "TimeoutStopSec")[0]) * 1000;
    expect(stopMs).toBeGreaterThan(Number(lameDuck ?? 0) + defaultLimits.drainMs);
    expect(valuesOf(unit, "Restart")).toEqual(["always"]);
    expect(valuesOf(unit, "StartLimitIntervalSec")).toEqual(["0"]);
  });

  test("has no secret in a command line, and is explained", () => {
    expect(valuesOf(unit, "ExecStart")[0]).not.toMatch(/token|password|--key\b/iu);
    expect(guide).toContain(`| \`${unit.replace(/@?\.service$/u, "")}`);
    for (const file of readFileSync(join(folder, unit), "utf8").matchAll(/\/etc\/lamplight\/([\w.-]+)/gu))
      expect(guide).toContain(`\`${file[1]!}\``);
  });
});

test("the guide enables units that there are", () => {
  const enabled = [...guide.matchAll(/systemctl (?:enable --now|reload) ([^\n`]+)/gu)].flatMap(([, names]) =>
    names!.split(" "),
  );
  expect(enabled.length).toBeGreaterThan(3);
  for (const name of enabled) expect(units).toContain(name.replace(/@\d+$/u, "@").concat(".service"));
});
