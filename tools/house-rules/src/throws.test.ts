import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "./imports.ts";
import { untypedThrowsIn } from "./throws.ts";

const packages = new URL("../../../packages", import.meta.url).pathname;

test("every error that sources throw has a type", () => {
  const sources = readdirSync(packages).flatMap((name) =>
    readSources(join(packages, name))
      .filter(({ isTest }) => !isTest)
      .map((file) => ({ ...file, path: `${name}/${file.path}` })),
  );
  expect(sources.length).toBeGreaterThan(800);
  expect(sources.flatMap(({ path, text }) => untypedThrowsIn(path, text))).toEqual([]);
});

test("the check finds a bare error, with its line", () => {
  expect(untypedThrowsIn("x.ts", '// throw new Error("a")\n  throw new Error(`b`);\n')).toEqual([
    "x.ts:2: use LamplightError, usageError or brokenInvariant: throw new Error(`b`);",
  ]);
  expect(untypedThrowsIn("x.ts", 'throw new LamplightError("INTERNAL", { id });')).toEqual([]);
});
