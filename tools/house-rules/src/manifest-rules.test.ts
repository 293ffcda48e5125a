import { describe, expect, test } from "vitest";
import { packages, picture, shared } from "../test/read-house.ts";
import { writePackages } from "../test/scratch-packages.ts";
import { manifestMismatches } from "./manifest-rules.ts";

const codecs = {
  "codecs/package.json": JSON.stringify({
    name: "@lamplight/codecs",
    dependencies: { "@lamplight/errors": "workspace:*", "@scure/base": "1" },
    devDependencies: { "fast-oracle": "1", "@types/fast-oracle": "1" },
  }),
  "codecs/src/index.ts": 'import { x } from "@lamplight/errors";\nimport { base58 } from "@scure/base";\n',
  "codecs/src/index.test.ts": 'import { test } from "vitest";\nimport { oracle } from "fast-oracle/deep";\n',
};

const mismatches = (changes: { readonly [path: string]: string }): readonly string[] =>
  manifestMismatches(writePackages({ ...codecs, ...changes }), picture, new Set(["vitest"]));

describe("manifestMismatches", () => {
  test("finds none in this repository", () => {
    expect(manifestMismatches(packages, picture, shared)).toEqual([]);
  });

  test("finds none where manifest, sources and picture agree", () => {
    expect(mismatches({})).toEqual([]);
  });

  test("names an import of a source that is no dependency, also where it is a dev dependency", () => {
    expect(mismatches({ "codecs/src/more.ts": 'import { oracle } from "fast-oracle";\n' })).toEqual([
      "codecs imports fast-oracle: list it in dependencies",
    ]);
  });

  test("names a dependency that only tests import", () => {
    expect(
      mismatches({
        "codecs/src/index.ts": 'import { x } from "@lamplight/errors";\n',
        "codecs/test/helper.ts": 'import { base58 } from "@scure/base";\n',
      }),
    ).toEqual(["codecs lists @scure/base in dependencies, and no source imports it"]);
  });

  test("names an import of a test that is no dev dependency, and a dev dependency that no test imports", () => {
    expect(mismatches({ "codecs/src/index.test.ts": 'import { other } from "other-oracle";\n' })).toEqual([
      "tests of codecs import other-oracle: list it in devDependencies",
      "codecs lists fast-oracle in devDependencies, and no test imports it",
      "codecs lists @types/fast-oracle in devDependencies, and no test imports it",
    ]);
  });

  test("names an arrow of the picture that no source follows", () => {
    expect(
      mismatches({
        "codecs/package.json": JSON.stringify({
          name: "@lamplight/codecs",
          dependencies: { "@scure/base": "1" },
        }),
        "codecs/src/index.ts": 'import { base58 } from "@scure/base";\n',
        "codecs/src/index.test.ts": "",
      }),
    ).toEqual(["the picture of ARCHITECTURE.md draws codecs ► errors, and no source imports it"]);
  });
});
