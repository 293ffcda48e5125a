import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;

/**
 * The files that compare with a date: of a key, a file, a header of HTTP or a day, or show it. A clock may be set at any moment, so
 * every other time is measured with `performance.now()`.
 */
const datedFiles: ReadonlySet<string> = new Set([
  "packages/cli/src/commands/keys-usage.ts",
  "packages/cli/src/keys/key-flags.ts",
  "packages/cli/src/keys/key-text.ts",
  "packages/client/src/call/retry.ts",
  "packages/client/src/http/http-sender.ts",
  "packages/search/src/life/search-file.ts",
  "packages/search/src/life/search-life.ts",
  "packages/server/src/gate/key-cells.ts",
  "packages/server/src/gate/key-meter.ts",
  "packages/server/src/key-store/usage-file.ts",
  "packages/server/src/keys.ts",
  "packages/server/src/metrics/metrics-port.ts",
  "packages/sources/src/endpoint/until-served.ts",
  "packages/sources/src/rpc/post-json.ts",
  "packages/sources/src/snapshot/archive/download-request.ts",
  "packages/store-postgres/src/keys/key-tables.ts",
]);

test("only files that compare with a date read the clock of the machine", () => {
  const listed = execFileSync("git", ["ls-files", "--", "packages/*/src/*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const sources = listed
    .split("\n")
    .filter((file) => file !== "" && !/\.test\.ts$|\/generated\//u.test(file));
  const reading = sources.filter((file) => readFileSync(join(root, file), "utf8").includes("Date.now()"));
  expect(reading.toSorted()).toEqual([...datedFiles].toSorted());
});
