import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Who may import whom at run time. Arrows never point up or sideways; ARCHITECTURE.md draws the picture.
 * `entry` files of a package may bring more than the rest of it, because they wire things together.
 */
export const rules: {
  readonly [name: string]: { readonly may: readonly string[]; readonly entry?: EntryRule };
} = {
  errors: { may: [] },
  contract: { may: [] },
  codecs: { may: ["errors"] },
  core: { may: ["codecs", "contract", "errors"] },
  search: { may: ["core", "errors"] },
  "store-sqlite": { may: ["core", "codecs", "errors"] },
  "store-postgres": { may: ["core", "codecs", "errors"] },
  sources: { may: ["core", "codecs", "errors"] },
  indexer: { may: ["core", "codecs", "search", "errors"] },
  server: {
    may: ["core", "contract", "errors"],
    entry: {
      files: /^(serve|open-store)[\w-]*\.ts$/,
      may: ["store-sqlite", "store-postgres", "indexer", "search", "docs"],
    },
  },
  client: { may: ["contract", "errors"], entry: { files: /^in-process[\w-]*\.ts$/, may: ["core"] } },
  docs: { may: ["contract"] },
  devchain: { may: ["core", "codecs", "errors"] },
  cli: {
    may: [
      "errors",
      "contract",
      "codecs",
      "core",
      "search",
      "store-sqlite",
      "store-postgres",
      "sources",
      "indexer",
      "server",
      "docs",
      "devchain",
    ],
  },
};

interface EntryRule {
  readonly files: RegExp;
  readonly may: readonly string[];
}

const importOf = /(?:from|import)\s*\(?\s*["']@lamplight\/([\w-]+)/g;

/** Every import of another package of the house that the rules do not allow, as a sentence each. */
export const brokenImports = (packagesDirectory: string): readonly string[] => {
  const broken: string[] = [];
  for (const name of readdirSync(packagesDirectory)) {
    const rule = rules[name];
    if (rule === undefined) {
      broken.push(`packages/${name} is not in the picture: add it to the rules and to ARCHITECTURE.md`);
      continue;
    }
    for (const file of sourceFiles(join(packagesDirectory, name, "src")))
      broken.push(...brokenIn(file, name, readFileSync(file, "utf8")));
  }
  return broken;
};

const brokenIn = (file: string, name: string, text: string): string[] => {
  const rule = rules[name]!;
  const base = file.slice(file.lastIndexOf("/") + 1);
  const allowed = new Set([...rule.may, ...(rule.entry?.files.test(base) ? rule.entry.may : [])]);
  return [...text.matchAll(importOf)]
    .map((match) => match[1]!)
    .filter((imported) => imported !== name && !allowed.has(imported))
    .map((imported) => `${file} imports @lamplight/${imported}, which ${name} may not`);
};

/** Relative specifiers that aim at an index of the same package, where the defining file should be named. */
export const indexImports = (packagesDirectory: string): readonly string[] =>
  readdirSync(packagesDirectory).flatMap((name) =>
    sourceFiles(join(packagesDirectory, name, "src"))
      .filter((file) => !file.endsWith("/src/index.ts"))
      .filter((file) => /from\s+["']\.{1,2}\/(?:[^"']*\/)?index\.ts["']/.test(readFileSync(file, "utf8")))
      .map((file) => `${file} imports an index.ts: name the file that defines the thing`),
  );

/** Run-time sources: tests and benches may bring what they like. */
const sourceFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.(test|bench|test-d|fuzz)\.ts$/.test(path))
    .filter((path) => !/(^|\/)(generated|testing)\//.test(path))
    .map((path) => join(directory, path));
