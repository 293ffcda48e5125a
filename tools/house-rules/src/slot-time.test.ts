import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;
/** It measures how fast a chain makes slots. Elsewhere a number would be wrong as soon as slots are shorter. */
const rateText = "packages/core/src/readiness/slot-rate.ts";

/** A named rate or duration of a slot; or one that clusters have had or will have, next to the word. */
const named = String.raw`slots?_?(?:ms|seconds|per_?second)(?:_(?!MAX)\w+)?(?:: number)? [=:] [\d.]`;
const unit = String.raw`(?<![\w.])(?:(?:400|350|300|250|200) ?(?:ms|milliseconds)\b|0\.[2-4]5? ?(?:s|seconds)\b|2\.5(?![\w.]))`;
const slotTime = new RegExp(String.raw`${named}|\bslots?\b.*${unit}|${unit}.*\bslots?\b`, "iu");

const linesWithSlotTime = (text: string): readonly string[] =>
  text.split("\n").filter((line) => slotTime.test(line));

test("one file knows how long a slot takes", () => {
  const listed = execFileSync("git", ["ls-files", "--", "packages/*/src/*.ts", "tools/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const sources = listed
    .split("\n")
    .filter((file) => file !== "" && file !== rateText && !/\.test\.ts$|\/generated\//u.test(file));
  const found = sources.flatMap((file) =>
    linesWithSlotTime(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("the check finds such a number in any form", () => {
  const text = [
    "const SLOT_MS = 400;",
    "const SLOT_MS_DEFAULT: number = 400;",
    "const SLOTS_PER_SECOND = 2.5;",
    "/** The chain advances by a slot every 0.4 s. */",
    "const slotsPerSecond = 2.5;",
    "const chainSlots = seconds * 2.5; // slots",
    "const status = 400;",
    "const SLOT_MS_MAX = 3_600_000;",
    "const slots = rate.slotsIn(2.55);",
  ].join("\n");
  expect(linesWithSlotTime(text)).toHaveLength(6);
});
