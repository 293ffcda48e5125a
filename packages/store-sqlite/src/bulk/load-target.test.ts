import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLamplightError } from "@lamplight/errors";
import { afterEach, beforeEach, expect, test } from "vitest";

import { lockLoadTarget, releaseLoadTarget } from "./load-target.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-target-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a pipe is refused, not replaced", () => {
  const file = join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  let thrown: unknown;
  try {
    releaseLoadTarget(lockLoadTarget(file));
  } catch (error) {
    thrown = error;
  }
  expect(isLamplightError(thrown, "STORE__NOT_A_STORE")).toBe(true);
  expect(readdirSync(folder)).toEqual(["pipe"]);
});
