import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

interface Budget {
  readonly bytesMax: number;
  readonly gzipBytesMax: number;
}

const packageFolder = new URL("../", import.meta.url).pathname;
const { browserBundle } = JSON.parse(readFileSync(`${packageFolder}budgets.json`, "utf8")) as {
  browserBundle: Budget;
};

describe("the manifest", () => {
  test("names nothing that has to be installed at run time", () => {
    const manifest = JSON.parse(readFileSync(`${packageFolder}package.json`, "utf8")) as {
      dependencies?: object;
      peerDependencies: object;
      peerDependenciesMeta: { [name: string]: { optional: boolean } };
    };
    expect(manifest.dependencies).toBeUndefined();
    for (const name of Object.keys(manifest.peerDependencies))
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  });
});

describe("the browser bundle", () => {
  test("holds nothing but this package and stays within its budget", async () => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents:
          'import { createClient } from "./src/index.ts"; globalThis.client = createClient({ url: "/" });',
        resolveDir: packageFolder,
      },
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
    expect(inputs.filter((path) => !/(^|\/)src\//.test(path) || path.includes("in-process"))).toEqual([]);
    const { contents } = outputFiles[0]!;
    expect(contents.length).toBeLessThanOrEqual(browserBundle.bytesMax);
    expect(gzipSync(contents).length).toBeLessThanOrEqual(browserBundle.gzipBytesMax);
  });
});
