import { describe, expect, test } from "vitest";
import { packages, picture } from "../test/read-house.ts";
import { writePackages } from "../test/scratch-packages.ts";
import { brokenImports, helpersInSources, indexImports, starExports } from "./import-rules.ts";
import { specifiersOf } from "./imports.ts";

const core = 'import { x } from "@lamplight/core";\n';
const runtime = 'const { x } = await import("@lamplight/runtime");\n';

describe("this repository", () => {
  test.each([
    ["brokenImports", brokenImports],
    ["indexImports", indexImports],
    ["starExports", starExports],
    ["helpersInSources", helpersInSources],
  ])("breaks no rule of %s", (_, rule) => {
    expect(rule(packages, picture)).toEqual([]);
  });
});

describe("readPicture", () => {
  test("reads every package of ARCHITECTURE.md, with its arrows", () => {
    expect([...picture.get("codecs")!.may]).toEqual(["errors"]);
    expect([...picture.get("errors")!.may]).toEqual([]);
    expect(picture.get("cli")!.may).toContain("store-postgres");
    expect(picture.get("cli")!.may).not.toContain("cli");
  });
});

describe("specifiersOf", () => {
  test("finds every form of import, over lines too, and no text that only looks like one", () => {
    const text = [
      'import "a";',
      'import type { B } from "b";',
      "export {",
      "  c,",
      '} from "c";',
      'const d = await import("d");',
      'const e = createRequire(import.meta.url).resolve("e");',
      'const f = require.resolve("f");',
      'const text = "from";',
      "// import { g } from 'g';",
    ].join("\n");
    expect(specifiersOf(text).toSorted()).toEqual(["a", "b", "c", "d", "f"]);
  });
});

describe("brokenImports", () => {
  test("names a package that imports upwards, and one that the picture lacks", () => {
    const folder = writePackages({ "errors/src/bad.ts": core, "stranger/src/index.ts": "" });
    expect(brokenImports(folder, picture)).toEqual([
      "packages/errors/src/bad.ts imports @lamplight/core, which errors may not",
      "packages/stranger is not in the picture of ARCHITECTURE.md: add it",
    ]);
  });

  test("lets an entry import more by its folder, regardless of what its files are called", () => {
    const folder = writePackages({
      "server/src/command/anything.ts": runtime,
      "server/src/http/serve.ts": runtime,
      "server/src/serve.ts": runtime,
      "client/src/in-process-transport.ts": core,
      "client/src/call/in-process.ts": core,
    });
    expect(brokenImports(folder, picture)).toEqual([
      "packages/client/src/call/in-process.ts imports @lamplight/core, which client may not",
      "packages/server/src/http/serve.ts imports @lamplight/runtime, which server may not",
      "packages/server/src/serve.ts imports @lamplight/runtime, which server may not",
    ]);
  });

  test("leaves tests, and what only they use, alone", () => {
    const folder = writePackages({ "errors/src/some.test.ts": core, "errors/test/helper.ts": core });
    expect(brokenImports(folder, picture)).toEqual([]);
  });
});

describe("indexImports", () => {
  test("names a file that imports an index of its own package", () => {
    const folder = writePackages({ "errors/src/a/b.ts": 'import { x } from "../c/index.ts";\n' });
    expect(indexImports(folder)).toEqual([
      expect.stringContaining("packages/errors/src/a/b.ts imports an index.ts"),
    ]);
  });
});

describe("starExports", () => {
  test("names an index of any folder that passes a whole file on, unless it is generated", () => {
    const folder = writePackages({
      "errors/src/index.ts": 'export { x } from "./x.ts";\nexport * from "./y.ts";\n',
      "errors/src/deep/index.ts": 'export type * from "./z.ts";\n',
      "contract/src/index.ts": 'export type * from "./generated/types.ts";\n',
    });
    expect(starExports(folder)).toEqual([
      "packages/errors/src/deep/index.ts exports a whole file: list the names",
      "packages/errors/src/index.ts exports a whole file: list the names",
    ]);
  });
});

describe("helpersInSources", () => {
  test("names test helpers below src, and sources that import one", () => {
    const folder = writePackages({
      "core/src/deep/testing/helper.ts": "",
      "core/src/source.ts": 'import { x } from "../test/helper.ts";\n',
      "core/src/source.test.ts": 'import { x } from "../test/helper.ts";\n',
      "core/test/helper.ts": "",
    });
    expect(helpersInSources(folder)).toEqual([
      "packages/core/src/deep/testing/helper.ts is a test's helper: move it to packages/core/test",
      "packages/core/src/source.ts is no test, and imports ../test/helper.ts",
    ]);
  });
});
