// Bundles `lamplight` from its sources, once for a run of tests. They start it some hundred times, and a bundle takes half
// the processor time of 660 files.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The bundle. */
    readonly lamplightCommand?: string;
  }
}

/** Each file keeps its URL: it finds its workers and its manifest there, and these run from their sources. */
const ownUrls: Plugin = {
  name: "own-urls",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};

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

/** Vitest calls it before the first test of a project, and what it returns after the last one. */
export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-test-command-"));
  // Some tests start it as another user.
  chmodSync(folder, 0o755);
  await build({
    entryPoints: [fileURLToPath(new URL("../src/main.ts", import.meta.url))],
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
    plugins: [ownUrls, foreignPackages],
  });
  project.provide("lamplightCommand", join(folder, "main.mjs"));
  return () => rmSync(folder, { recursive: true, force: true });
};
