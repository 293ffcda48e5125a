import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;
/** Everything else would print what upstreams, files and callers wrote as it is. */
const terminalText = "packages/server/src/command/terminal.ts";
const writes = /process\.std(?:out|err)\.write\(|console\.(?:log|error|warn|info|debug|trace)\(/u;

test("one file of the packages writes to stdout and stderr", () => {
  const listed = execFileSync("git", ["ls-files", "--", "packages/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  // Pages of the documentation show code that prints.
  const sources = listed
    .split("\n")
    .filter((file) => file !== "" && !/\.test\.ts$|\/generated\/|^packages\/docs\/src\/pages\//u.test(file));
  const writers = sources.filter((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .some((line) => writes.test(line) && !/^\s*(?:\*|\/\/)/u.test(line)),
  );
  expect(writers).toEqual([terminalText]);
});
