import { readdirSync } from "node:fs";
import { join } from "node:path";
import { localPackageOf, readSources, type SourceFile } from "./imports.ts";
import type { Picture, Rule } from "./picture.ts";

/** Every import of another package of the house that the picture does not allow, as a sentence each. */
export const brokenImports = (packagesFolder: string, picture: Picture): readonly string[] =>
  readdirSync(packagesFolder).flatMap((name) => {
    const rule = picture.get(name);
    if (rule === undefined) return [`packages/${name} is not in the picture of ARCHITECTURE.md: add it`];
    return runtimeSources(packagesFolder, name).flatMap((file) => brokenIn(file, name, rule));
  });

const brokenIn = ({ path, specifiers }: SourceFile, name: string, { may, entry }: Rule): string[] => {
  const isEntry = entry?.paths.test(path.slice("src/".length)) ?? false;
  return specifiers
    .map(localPackageOf)
    .filter((imported) => imported !== null && imported !== name)
    .filter((imported) => !may.has(imported!) && !(isEntry && entry!.may.has(imported!)))
    .map((imported) => `packages/${name}/${path} imports @lamplight/${imported}, which ${name} may not`);
};

/** Relative specifiers that aim at an index of the same package, where the defining file should be named. */
export const indexImports = (packagesFolder: string): readonly string[] =>
  readdirSync(packagesFolder).flatMap((name) =>
    runtimeSources(packagesFolder, name)
      .filter(({ path }) => path !== "src/index.ts")
      .filter(({ specifiers }) =>
        specifiers.some((specifier) => /^\.{1,2}\/(.*\/)?index\.ts$/.test(specifier)),
      )
      .map(
        ({ path }) => `packages/${name}/${path} imports an index.ts: name the file that defines the thing`,
      ),
  );

/** Indexes that pass a whole file on. Generated types may be: the contract names them. */
export const starExports = (packagesFolder: string): readonly string[] =>
  readdirSync(packagesFolder).flatMap((name) =>
    readSources(join(packagesFolder, name))
      .filter(({ path }) => /(^|\/)index\.ts$/.test(path))
      .filter(({ text }) => /^export (type )?\*(?! from "\.\/generated\/)/m.test(text))
      .map(({ path }) => `packages/${name}/${path} exports a whole file: list the names`),
  );

/** Files that only tests use, among those that are built and published. */
export const helpersInSources = (packagesFolder: string): readonly string[] =>
  readdirSync(packagesFolder).flatMap((name) =>
    readSources(join(packagesFolder, name)).flatMap(({ path, specifiers, isTest }) => {
      const file = `packages/${name}/${path}`;
      if (/^src\/(.*\/)?(test|tests|testing|fixtures|mocks)\//.test(path))
        return [`${file} is a test's helper: move it to packages/${name}/test`];
      const reached = isTest ? undefined : specifiers.find((specifier) => /(^|\/)test\//.test(specifier));
      return reached === undefined ? [] : [`${file} is no test, and imports ${reached}`];
    }),
  );

const runtimeSources = (packagesFolder: string, name: string): readonly SourceFile[] =>
  readSources(join(packagesFolder, name)).filter(({ isTest }) => !isTest);
