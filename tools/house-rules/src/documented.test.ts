import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { declaredIn } from "./documented.ts";
import { readSources } from "./imports.ts";

const packages = new URL("../../../packages", import.meta.url).pathname;
const isPort = (path: string): boolean => path.startsWith("src/ports/");

const SHARE_MIN = 0.95;

/** Declarations that users and store authors read in their editor. */
const published: readonly (readonly [name: string, isPart: (path: string) => boolean])[] = [
  ["client", () => true],
  ["errors", () => true],
  ["core", isPort],
];

describe("exported declarations and their members are documented", () => {
  test.each(published)("in %s", (name, isPart) => {
    const declared = readSources(join(packages, name))
      .filter(({ isTest, path }) => !isTest && isPart(path))
      .flatMap(({ path, text }) => declaredIn(text).map((one) => ({ ...one, path })));
    const missing = declared
      .filter(({ isDocumented }) => !isDocumented)
      .map((one) => `${one.path}:${one.line}: ${one.name}`);
    expect(declared.length).toBeGreaterThan(40);
    if (missing.length > declared.length * (1 - SHARE_MIN)) expect(missing).toEqual([]);
  });
});

test("no docblock of a package is only a name", () => {
  const empty = readdirSync(packages).flatMap((name) =>
    readSources(join(packages, name)).flatMap(({ path, text }) =>
      [...text.matchAll(/^ *\/\*\* (?:The|An?) (?<word>\w+)\. \*\/\n *(?:readonly )?(?<name>\w+)/gmu)]
        .filter(({ groups }) => groups!["word"]!.toLowerCase() === groups!["name"]!.toLowerCase())
        .map(({ groups }) => `${name}/${path}: ${groups!["name"]}`),
    ),
  );
  expect(empty).toEqual([]);
});

test("the check reads declarations, members and what stands above them", () => {
  const text =
    "/** A. */\nexport interface A {\n  readonly b: string;\n  /** C. */\n  c?(): void;\n  #d: 1;\n}\nexport const e = {\n  f: 1,\n};\n";
  expect(declaredIn(text)).toEqual([
    { name: "A", line: 2, isDocumented: true },
    { name: "A.b", line: 3, isDocumented: false },
    { name: "A.c", line: 5, isDocumented: true },
    { name: "e", line: 8, isDocumented: false },
  ]);
});
