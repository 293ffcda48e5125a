import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { localPackageOf, packageOf, readSources, type SourceFile } from "./imports.ts";
import type { Picture } from "./picture.ts";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Members;
  readonly devDependencies?: Members;
  readonly peerDependencies?: Members;
  readonly optionalDependencies?: Members;
}

type Members = { readonly [name: string]: string };

type Names = ReadonlySet<string>;

/** Packages that a build needs or copies into `dist`: imported by sources, installed only here. */
const bundled: { readonly [name: string]: Names } = {
  docs: new Set(["marked"]),
  server: new Set(["@open-rpc/server-js"]),
  testing: new Set(
    ["client", "codecs", "core", "devchain", "docs", "errors", "indexer", "server", "sources"].map(
      (name) => `@lamplight/${name}`,
    ),
  ),
};

/**
 * Compares, for every package, what its sources import with what its manifest lists and what the picture shows.
 * Sources import exactly the dependencies, which are exactly the arrows of the picture; tests import exactly the
 * dev dependencies. `shared` names what the root's manifest provides for all tests.
 */
export const manifestMismatches = (
  packagesFolder: string,
  picture: Picture,
  shared: Names,
): readonly string[] =>
  readdirSync(packagesFolder).flatMap((name) => {
    const folder = join(packagesFolder, name);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const sources = readSources(folder);
    const importedIf = (isTest: boolean): Names =>
      importedBy(
        sources.filter((file) => file.isTest === isTest),
        manifest.name,
      );
    const [runtime, tests] = [importedIf(false), importedIf(true)];
    return [
      ...dependencyMismatches(name, manifest, runtime),
      ...devDependencyMismatches(name, manifest, tests, shared),
      ...pictureMismatches(name, runtime, picture),
    ];
  });

const dependencyMismatches = (name: string, manifest: Manifest, runtime: Names): readonly string[] => {
  const copied = bundled[name] ?? new Set();
  const listed = namesOf(manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies);
  return [
    ...without(runtime, copied, listed).map(
      (missing) => `${name} imports ${missing}: list it in dependencies`,
    ),
    ...without(listed, runtime).map(
      (unused) => `${name} lists ${unused} in dependencies, and no source imports it`,
    ),
    ...without(copied, runtime).map((unused) => `${name} bundles ${unused}, and no source imports it`),
  ];
};

const devDependencyMismatches = (
  name: string,
  manifest: Manifest,
  tests: Names,
  shared: Names,
): readonly string[] => {
  const listed = namesOf(manifest.devDependencies);
  const atRunTime = namesOf(manifest.dependencies);
  const others = new Set([
    ...namesOf(manifest.peerDependencies, manifest.optionalDependencies),
    ...(bundled[name] ?? []),
  ]);
  // The types of Node are a peer of tools: a package that lists them gets the copies of those tools that the root has.
  const typed = new Set([...atRunTime, ...others, ...tests, "node"].map(typesOf));
  return [
    ...without(tests, atRunTime, shared, listed).map(
      (missing) => `tests of ${name} import ${missing}: list it in devDependencies`,
    ),
    ...without(listed, tests, others, typed).map(
      (unused) => `${name} lists ${unused} in devDependencies, and no test imports it`,
    ),
    ...[...listed]
      .filter((twice) => atRunTime.has(twice))
      .map((twice) => `${name} lists ${twice} in dependencies and in devDependencies`),
  ];
};

const pictureMismatches = (name: string, runtime: Names, picture: Picture): readonly string[] => {
  const rule = picture.get(name);
  const drawn = new Set(rule?.isExact ? [...rule.may, ...(rule.entry?.may ?? [])] : []);
  const imported = new Set([...runtime].map(localPackageOf).filter((local) => local !== null));
  return without(drawn, imported).map(
    (unused) => `the picture of ARCHITECTURE.md draws ${name} ► ${unused}, and no source imports it`,
  );
};

const without = (names: Names, ...others: readonly Names[]): readonly string[] =>
  [...names].filter((name) => !others.some((other) => other.has(name)));

/** Package that types another one. */
const typesOf = (name: string): string => `@types/${name.replace("@", "").replace("/", "__")}`;

const importedBy = (sources: readonly SourceFile[], own: string): Names =>
  new Set(
    sources
      .flatMap(({ specifiers }) => specifiers.map(packageOf))
      .filter((imported) => imported !== null && imported !== own) as string[],
  );

const namesOf = (...members: readonly (Members | undefined)[]): Names =>
  new Set(members.flatMap((some) => Object.keys(some ?? {})));
