import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packages, tools } from "../test/read-house.ts";
import { writePackages } from "../test/scratch-packages.ts";
import { fileCircles, folderCircles, foldersOf, importsUpwards } from "./circles.ts";
import { readSources } from "./imports.ts";

/** The floors of core, lowest first: a folder imports only those before it. */
const coreFloors = [
  "domain",
  "json",
  "encoding",
  "budget",
  "content",
  "profile",
  "readiness",
  "amount",
  "parsed",
  "caching",
  "ports",
  "columns",
  "paging",
  "shaping",
  "params",
  "methods",
  "driver",
];

const everyPackage = [packages, tools].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, join(folder, name)] as const),
);

describe("this repository", () => {
  test.each(everyPackage)("%s has no circle of files", (_, folder) => {
    expect(fileCircles(folder)).toEqual([]);
  });

  test.each(everyPackage)("%s has no circle of folders", (_, folder) => {
    expect(folderCircles(folder)).toEqual([]);
  });

  test("core imports only downwards, and every folder has its floor", () => {
    expect(importsUpwards(join(packages, "core"), coreFloors)).toEqual([]);
    expect([...foldersOf(join(packages, "core"))].toSorted()).toEqual(coreFloors.toSorted());
  });

  test("core does not read the environment", () => {
    const sources = readSources(join(packages, "core")).filter(({ isTest }) => !isTest);
    const reading = sources.filter(({ text }) => /\bprocess\s*\.\s*env\b/u.test(text));
    expect(reading.map(({ path }) => path)).toEqual([]);
  });
});

const scratch = (files: { readonly [path: string]: string }): string =>
  join(
    writePackages(Object.fromEntries(Object.entries(files).map(([path, text]) => [`one/src/${path}`, text]))),
    "one",
  );

describe("circles", () => {
  test("of files are found through others, by types too, and named once", () => {
    const folder = scratch({
      "a.ts": 'import type { B } from "./b.ts";\n',
      "b.ts": 'import { c } from "./deep/c.ts";\n',
      "deep/c.ts": 'import { a } from "../a.ts";\n',
      "d.ts": 'import { a } from "./a.ts";\n',
      "a.test.ts": 'import { d } from "./d.ts";\n',
    });
    expect(fileCircles(folder)).toEqual(["src/a.ts, src/b.ts, src/deep/c.ts import each other"]);
  });

  test("of folders are found where no file is in one", () => {
    const folder = scratch({
      "low/a.ts": 'import { d } from "../high/d.ts";\n',
      "low/b.ts": "",
      "high/c.ts": 'import { b } from "../low/b.ts";\n',
      "high/d.ts": "",
    });
    expect(fileCircles(folder)).toEqual([]);
    expect(folderCircles(folder)).toEqual(["folders high, low import each other"]);
    expect(importsUpwards(folder, ["low", "high"])).toEqual([
      "src/low/a.ts imports src/high/d.ts, which is above it",
    ]);
  });

  test("of folders may go through generated files, those of files may not", () => {
    const folder = scratch({
      "low/a.ts": 'import { b } from "../generated/b.ts";\n',
      "generated/b.ts": 'import { c } from "../low/c.ts";\nimport { d } from "./d.ts";\n',
      "generated/d.ts": 'import { b } from "./b.ts";\n',
      "low/c.ts": "",
    });
    expect(folderCircles(folder)).toEqual([]);
    expect(fileCircles(folder)).toEqual(["src/generated/b.ts, src/generated/d.ts import each other"]);
  });
});
