// After `tsc`: bundles everything that runs into `dist`, copies the pages of the explorer, and gathers the declarations
// that the public types name. The package then has no dependency.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { entryText } from "./entry-text.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const packages = dirname(folder.replace(/\/$/, ""));
const dist = join(folder, "dist");

/** Leaves out the server's logger, which a test chain does not use. */
const withoutLog: Plugin = {
  name: "without-log",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^pino(-pretty)?$/ }, ({ path }) => ({ path, namespace: "without-log" }));
    onLoad({ filter: /.*/, namespace: "without-log" }, () => ({ contents: "export default undefined;" }));
  },
};

const entries = ["index", "jest", "matchers", "vitest"];

const { metafile } = await build({
  absWorkingDir: folder,
  // Next to the entries: some modules read the manifest one folder up.
  entryPoints: Object.fromEntries(entries.map((name) => [`bundled-${name}`, `src/${name}.ts`])),
  outdir: "dist",
  metafile: true,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  external: ["@jest/globals", "vitest"],
  logLevel: "warning",
  plugins: [withoutLog],
});

for (const name of entries) {
  const { exports } = metafile.outputs[`dist/bundled-${name}.js`]!;
  writeFileSync(join(dist, `${name}.js`), entryText(`./bundled-${name}.js`, exports));
}

/** Outputs that an entry loads. esbuild also writes what only unused code would load, such as the gRPC client. */
const loaded = new Set<string>();
const addLoaded = (output: string): void => {
  if (loaded.has(output)) return;
  loaded.add(output);
  for (const { path, external } of metafile.outputs[output]!.imports) if (external !== true) addLoaded(path);
};
for (const name of entries) addLoaded(`dist/bundled-${name}.js`);
for (const output of Object.keys(metafile.outputs))
  if (!loaded.has(output.replace(/\.LEGAL\.txt$/, ""))) rmSync(join(folder, output));

// `@lamplight/docs` finds its pages next to the code, here as in its own package.
cpSync(join(packages, "docs/dist/site"), join(dist, "site"), { recursive: true });

const types = join(dist, "types");
const specifierPattern = /(from\s+|import\(|import\s+)(["'])([^"']+)\2/g;
const done = new Set<string>();

/** Copies a declaration of another package, and those that it imports. */
const gather = (source: string): string => {
  const target = join(types, relative(packages, source).replace("/dist/", "/"));
  if (done.has(source)) return target;
  done.add(source);
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(source, "utf8").replace(/^\/\/# sourceMappingURL.*$/m, "");
  const rewritten = text.replaceAll(specifierPattern, (whole, head: string, quote: string, name: string) => {
    const named = declarationOf(name, source);
    if (named === null) return whole;
    const path = relative(dirname(target), gather(named)).replace(/\.d\.ts$/, ".js");
    return `${head}${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
  });
  writeFileSync(target, rewritten);
  return target;
};

/** The declaration file of an import; null for modules of Node and of the user. */
const declarationOf = (name: string, from: string): string | null => {
  if (name.startsWith(".")) return join(dirname(from), name.replace(/\.(js|ts)$/, ".d.ts"));
  const [, local, rest] = /^@lamplight\/([^/]+)(\/.*)?$/.exec(name) ?? [];
  if (local === undefined) return null;
  const manifest = JSON.parse(readFileSync(join(packages, local, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly types: string }>>;
  };
  return join(packages, local, manifest.exports[`.${rest ?? ""}`]!.types);
};

/** Declarations of this package stay where `tsc` wrote them. Those that no entry imports are deleted. */
const ownDeclarations = join(types, "own");
for (const entry of entries) gatherOwn(join(ownDeclarations, `${entry}.d.ts`));
for (const name of readdirSync(ownDeclarations, { recursive: true }) as string[]) {
  const file = join(ownDeclarations, name);
  if (file.endsWith(".d.ts") && !done.has(file)) rmSync(file);
}

function gatherOwn(file: string): void {
  if (done.has(file)) return;
  done.add(file);
  const text = readFileSync(file, "utf8");
  const rewritten = text.replaceAll(specifierPattern, (whole, head: string, quote: string, name: string) => {
    const named = declarationOf(name, file);
    if (named === null) return whole;
    if (name.startsWith(".")) {
      gatherOwn(named);
      return whole;
    }
    const path = relative(dirname(file), gather(named)).replace(/\.d\.ts$/, ".js");
    return `${head}${quote}${path}${quote}`;
  });
  writeFileSync(file, rewritten);
}
