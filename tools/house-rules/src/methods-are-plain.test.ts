import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;

/** Names that only the driver of methods uses. */
const names = /\b\w*(?:budget|signal|deadline|session|promise)\w*\b|\b(?:async|await|turns)\b/iu;
const imports = /from "\.\.\/(?:budget|driver)\/|read-view\.ts"/u;

const linesOfDriver = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:\/?\*|\/\/)/u.test(line) && (names.test(line) || imports.test(line)));

test("methods and shaping know nothing of what a call may spend, nor of how it waits", () => {
  const folders = ["packages/core/src/methods", "packages/core/src/shaping"];
  const listed = execFileSync("git", ["ls-files", "--", ...folders], { cwd: root, encoding: "utf8" });
  const sources = listed.split("\n").filter((file) => /(?<!\.test)\.ts$/u.test(file));
  expect(sources.length).toBeGreaterThan(20);
  const found = sources.flatMap((file) =>
    linesOfDriver(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

/** These scan so much that they let other calls run in between. A read that is cut into pages would need no entry. */
const scanning = ["gather-ordinals.ts", "list-editions.ts", "list-ordinals.ts"].map(
  (file) => `packages/store-sqlite/src/queries/${file}`,
);

const spending = /\b\w*(?:budget|signal|deadline|session|abort)\w*\b|\bturns\b|\bOpening\b/iu;

test("a store's queries know nothing of who asks, nor of what a call may spend", () => {
  const folders = ["packages/store-sqlite/src/queries", "packages/store-postgres/src/queries"];
  const listed = execFileSync("git", ["ls-files", "--", ...folders], { cwd: root, encoding: "utf8" });
  const sources = listed.split("\n").filter((file) => /(?<!\.test)\.ts$/u.test(file));
  expect(sources.length).toBeGreaterThan(30);
  const found = sources.filter((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .some((line) => !/^\s*(?:\/?\*|\/\/)/u.test(line) && spending.test(line)),
  );
  expect(found.toSorted()).toEqual(scanning);
});

test("the check finds each of these", () => {
  const text = [
    'import { CallBudget } from "../driver/call-budget.ts";',
    "const view = await source.openView(commitment);",
    "signal?.throwIfAborted();",
    "const answer: MaybePromise<string> = text;",
    "const account = yield* read.account(address);",
  ].join("\n");
  expect(linesOfDriver(text)).toHaveLength(4);
});
