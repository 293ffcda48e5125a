import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { brokenImports, indexImports } from "./import-rules.ts";

const packages = new URL("../../../packages", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "house-rules-"));
afterAll(() => rmSync(scratch, { recursive: true }));

describe("brokenImports", () => {
  test("finds none in the house", () => {
    expect(brokenImports(packages)).toEqual([]);
  });

  test("names a package that imports upwards", () => {
    mkdirSync(join(scratch, "errors/src"), { recursive: true });
    writeFileSync(join(scratch, "errors/src/bad.ts"), 'import { x } from "@lamplight/core";\n');
    expect(brokenImports(scratch)).toEqual([
      expect.stringContaining("imports @lamplight/core, which errors may not"),
    ]);
  });
});

describe("indexImports", () => {
  test("finds none in the house", () => {
    expect(indexImports(packages)).toEqual([]);
  });
});
