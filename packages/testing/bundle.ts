// After `tsc`: bundles everything that runs into `dist`, and gathers the declarations that the public types name. The
// package then has no dependency.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

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

await build({
  entryPoints: { index: join(folder, "src/index.ts"), vitest: join(folder, "src/vitest.ts") },
  outdir: dist,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  external: ["vitest"],
  logLevel: "warning",
  plugins: [withoutLog],
});

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
for (const entry of ["index", "vitest"]) gatherOwn(join(ownDeclarations, `${entry}.d.ts`));
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
