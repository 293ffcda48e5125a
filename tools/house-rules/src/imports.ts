import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const forms = [
  /^(?:import|export)\s[^;"'`]*?from\s+["']([^"']+)["']/gm,
  /^import\s+["']([^"']+)["']/gm,
  /\b(?:import|import\.meta\.resolve|require|require\.resolve)\(\s*["']([^"']+)["']/g,
];

/** A TypeScript file of a package, with everything that it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly specifiers: readonly string[];
  /** Tests, benches and what only they use: none of it is published. */
  readonly isTest: boolean;
}

const isTestPath = (path: string): boolean =>
  /\.(test|bench|test-d|fuzz)\.ts$/.test(path) || !path.startsWith("src/");

/** Every source of a package; paths are relative to its folder. */
export const readSources = (packageFolder: string): readonly SourceFile[] =>
  readdirSync(packageFolder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist")
    // Tests of pages write their code there, and remove it.
    .filter(({ name }) => !name.startsWith("scratch-"))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(packageFolder, entry.name) : [entry.name]))
    .filter((path) => path.endsWith(".ts"))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(packageFolder, path), "utf8");
      return { path, text, specifiers: specifiersOf(text), isTest: isTestPath(path) };
    });

const filesBelow = (packageFolder: string, name: string): readonly string[] =>
  readdirSync(join(packageFolder, name), { recursive: true, encoding: "utf8" }).map((path) =>
    join(name, path),
  );

export const specifiersOf = (text: string): readonly string[] =>
  forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1]!));

/** Name of the package that a specifier reaches; null for files, URLs and modules of Node. */
export const packageOf = (specifier: string): string | null =>
  /^([./#]|\w+:)/.test(specifier) ? null : specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** Name of a package of this repository below `packages`; null for any other. */
export const localPackageOf = (specifier: string): string | null =>
  /^@lamplight\/([\w-]+)/.exec(specifier)?.[1] ?? null;
