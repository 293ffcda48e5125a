import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

interface Budget {
  readonly bytesMax: number;
  readonly gzipBytesMax: number;
}

const packageFolder = new URL("../", import.meta.url).pathname;
const budgets = JSON.parse(readFileSync(`${packageFolder}budgets.json`, "utf8")) as {
  browserBundle: Budget;
  dasBrowserBundle: Budget;
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
  test.each([
    ["createClient", "index.ts", budgets.browserBundle],
    ["createDasClient", "das/index.ts", budgets.dasBrowserBundle],
  ])("of %s holds nothing but this package and stays within its budget", async (name, entry, budget) => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `import { ${name} } from "./src/${entry}"; globalThis.client = ${name}({ url: "/" });`,
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
    if (name === "createClient") expect(inputs.filter((path) => path.includes("src/das/"))).toEqual([]);
    const { contents } = outputFiles[0]!;
    expect(contents.length).toBeLessThanOrEqual(budget.bytesMax);
    expect(gzipSync(contents).length).toBeLessThanOrEqual(budget.gzipBytesMax);
  });
});
