import { PassThrough } from "node:stream";

import { LamplightError } from "@lamplight/errors";
import { describe, expect, test } from "vitest";

import { createLog } from "./log.ts";

// A line of a terminal that is cleared and forged, an 8-bit escape, and text that runs backwards.
const hostile = "\u001b[2K\rforged\nline \u009b31m \u202e";
const unprintable = /(?!\n)[\p{Cc}\u2028-\u202e]/u;

const linesOf = async (isTTY: boolean): Promise<string> => {
  const output = Object.assign(new PassThrough(), { isTTY });
  const log = createLog("info", output);
  const circular: Record<string, unknown> = { hostile };
  circular["itself"] = circular;
  const cause = new Error(`14 UNAVAILABLE: ${hostile}`);
  cause.cause = Object.assign(new TypeError(hostile), { details: hostile, files: [hostile], circular });
  log.warn({ err: new LamplightError("SOURCE__LOST", { url: "x", reason: hostile }, { cause }) }, hostile);
  log.info({ file: hostile, [hostile]: 1, nested: { files: [hostile] } }, "read");
  log.error({ err: cause }, "raw");
  await new Promise(setImmediate);
  return String(output.read());
};

describe("what upstreams wrote reaches the log printable", () => {
  test("as JSON", async () => {
    const lines = await linesOf(false);
    expect(lines).not.toMatch(unprintable);
    const entries = lines.trim().split("\n");
    expect(entries).toHaveLength(3);
    // Nothing of it comes back when the JSON is read.
    for (const entry of entries) {
      const texts: string[] = [];
      JSON.parse(entry, (key, value: unknown) => {
        if (typeof value === "string") texts.push(key, value);
        return value;
      });
      expect(texts.join(" ")).not.toMatch(unprintable);
    }
    expect(lines).toContain("forged\\\\u{a}line");
  });

  test("on a terminal", async () => {
    const lines = await linesOf(true);
    expect(lines).not.toMatch(unprintable);
    expect(lines).not.toMatch(/^line/mu);
    expect(lines).toContain("\\u{1b}[2K\\u{d}forged\\u{a}line");
  });
});
