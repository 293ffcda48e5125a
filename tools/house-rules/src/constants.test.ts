import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { misnamedConstantsIn } from "./constants.ts";
import { readSources } from "./imports.ts";

const root = new URL("../../..", import.meta.url).pathname;

test("numbers are in capitals, other constants are not", () => {
  const sources = ["packages", "tools"].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) =>
        readSources(join(root, folder, name)).map((file) => ({
          ...file,
          path: `${folder}/${name}/${file.path}`,
        })),
      ),
  );
  expect(sources.length).toBeGreaterThan(1500);
  expect(sources.flatMap(({ path, text }) => misnamedConstantsIn(path, text))).toEqual([]);
});

test("the check finds both, with their lines", () => {
  expect(misnamedConstantsIn("x.ts", 'const pageMax = 8 * KIB;\nexport const NAME = "x";\n')).toEqual([
    "x.ts:1: a number is in capitals: pageMax",
    "x.ts:2: only a number is in capitals: NAME",
  ]);
  expect(misnamedConstantsIn("x.ts", 'const PAGE_MAX = 2n ** 64n;\nconst names = ["x"];\n')).toEqual([]);
});
