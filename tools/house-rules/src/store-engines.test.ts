import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;

/** Code that only an engine contains: the package of a kind of store, and how its URLs begin. */
const kinds = [
  /from "@lamplight\/store-|import\("@lamplight\/store-/u,
  /startsWith\(["'`](?:sqlite|postgres)/u,
  /\/\^\(?(?:\?:)?(?:sqlite|postgres)/u,
  /[!=]==\s*["'`](?:sqlite|postgres(?:ql)?):?["'`]/u,
  /\bis(?:Postgres|Sqlite)\w*\b/u,
];

const branchesIn = (text: string, forms: readonly RegExp[] = kinds): readonly string[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:\/?\*|\/\/)/u.test(line) && forms.some((form) => form.test(line)));

/** A tool measures and tests the stores themselves, so it may open one directly. It may not choose by a URL. */
const formsFor = (file: string): readonly RegExp[] => (file.startsWith("tools/") ? kinds.slice(1) : kinds);

test("only an engine knows which kind of store a URL names", () => {
  const folders = ["runtime", "cli", "server"].map((name) => `packages/${name}/src`);
  const listed = execFileSync("git", ["ls-files", "--", ...folders, "tools"], {
    cwd: root,
    encoding: "utf8",
  });
  const sources = listed
    .split("\n")
    .filter((file) => /(?<!\.test)\.ts$/u.test(file) && !file.startsWith("packages/runtime/src/engine/"));
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.flatMap((file) =>
    branchesIn(readFileSync(join(root, file), "utf8"), formsFor(file)).map(
      (line) => `${file}: ${line.trim()}; ask the engine of the URL (packages/runtime/src/engine)`,
    ),
  );
  expect(found).toEqual([]);
});

test("the check finds each of these", () => {
  const text = [
    'import { openSqliteReader } from "@lamplight/store-sqlite";',
    'const { openPostgresReader } = await import("@lamplight/store-postgres");',
    'if (url.startsWith("sqlite:")) return url;',
    "const isFile = /^sqlite:/u.test(url);",
    'if (new URL(url).protocol === "postgres:") return null;',
    "return isPostgresUrl(url) ? 1 : 0;",
    "  --store  store to copy, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE",
    "const store = `sqlite:${file}`;",
  ].join("\n");
  expect(branchesIn(text)).toHaveLength(6);
});
