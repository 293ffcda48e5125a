import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;
/** It measures how fast a chain makes slots. Elsewhere a number would be wrong as soon as slots are shorter. */
const RATE = "packages/core/src/readiness/slot-rate.ts";

/** The slot times that clusters have had or will have, as milliseconds, seconds or slots a second. */
const number = String.raw`(?<![\w.])(?:400|350|300|250|200|0\.4|0\.35|0\.3|0\.25|0\.2|2\.5)(?![\w.])`;
const slotTime = new RegExp(
  String.raw`(?:slots?\b|slot_?ms|slots?_?per_?sec).*${number}|${number}.*\b(?:slots?\b|slot_?ms|slots?_?per_?sec)`,
  "iu",
);

const linesWithSlotTime = (text: string): readonly string[] =>
  text.split("\n").filter((line) => slotTime.test(line));

test("one file knows how long a slot takes", () => {
  const listed = execFileSync("git", ["ls-files", "--", "packages/*/src/*.ts", "tools/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const sources = listed
    .split("\n")
    .filter((file) => file !== "" && file !== RATE && !/\.test\.ts$|\/generated\//u.test(file));
  const found = sources.flatMap((file) =>
    linesWithSlotTime(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("the check finds such a number in any form", () => {
  const text = [
    "const SLOT_MS = 400;",
    "const SLOTS_PER_SECOND = 2.5;",
    "/** The chain advances by a slot every 0.4 s. */",
    "const slotsPerSecond = 2.5;",
    "const chainSlots = seconds * 2.5; // slots",
    "const status = 400;",
    "const slots = rate.slotsIn(2.55);",
  ].join("\n");
  expect(linesWithSlotTime(text)).toHaveLength(5);
});
