// Bundles `lamplight` from its sources, once for a run of tests. They start it some hundred times, and a bundle takes half
// the processor time of 660 files.
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The bundle. */
    readonly lamplightCommand?: string;
  }
}

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** How a file names the file of its threads, which is next to it. */
const threadPattern = /`\.\/(?<name>[\w-]+)\$\{import\.meta\.url\.endsWith\("\.ts"\) \? "\.ts" : "\.js"\}`/gu;

/** Files that threads start with. They are bundled too, because a thread loads as much as the command does. */
const threadFiles = (): readonly string[] =>
  globSync("packages/*/src/**/*.ts", { cwd: repository }).flatMap((file) =>
    [...readFileSync(join(repository, file), "utf8").matchAll(threadPattern)].map(({ groups }) =>
      join(repository, dirname(file), `${groups!["name"]}.ts`),
    ),
  );

/** The bundle of a file, without its ending. */
const bundleName = (file: string): string =>
  relative(repository, file).replaceAll("/", "-").replace(/\.ts$/u, "");

/** Each file keeps its URL, because it finds its manifest there. Its threads start with bundles in `folder`. */
const ownUrls = (folder: string): Plugin => ({
  name: "own-urls",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const bundleOf = (_: string, name: string): string => {
        const file = `${bundleName(join(dirname(path), `${name}.ts`))}.mjs`;
        return JSON.stringify(pathToFileURL(join(folder, file)).href);
      };
      const text = readFileSync(path, "utf8").replaceAll(threadPattern, bundleOf);
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
});

/** Packages of others are loaded from where they are installed, as usual. */
const foreignPackages: Plugin = {
  name: "foreign-packages",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const isOwn = kind === "entry-point" || path.startsWith("@lamplight/") || path.startsWith("node:");
      if (isOwn || pluginData === foreignPackages.name) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: foreignPackages.name });
      return found.external ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/** Bundles into a new folder, which it returns. */
const bundle = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-test-command-"));
  // Some tests start it as another user.
  chmodSync(folder, 0o755);
  const files = new Set([fileURLToPath(new URL("../src/main.ts", import.meta.url)), ...threadFiles()]);
  await build({
    entryPoints: Array.from(files, (file) => ({ in: file, out: bundleName(file) })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    keepNames: true,
    conditions: ["@lamplight/source"],
    // `sideEffects` of a manifest names built files alone.
    ignoreAnnotations: true,
    plugins: [ownUrls(folder), foreignPackages],
  });
  return folder;
};

/** The projects of a run share one bundle here, because each loads this file again. */
const run = globalThis as { lamplightBundle?: Promise<string> };

/** Vitest calls it before the first test of a project, and what it returns after the last one of the run. */
export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = await (run.lamplightBundle ??= bundle());
  project.provide("lamplightCommand", join(folder, "packages-cli-src-main.mjs"));
  return () => rmSync(folder, { recursive: true, force: true });
};
