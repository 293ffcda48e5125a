// The contract in the OpenRPC tools that others publish: what a reader may load it into has to take it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contractDocument } from "@lamplight/contract";
import {
  MethodCallValidator,
  parseOpenRPCDocument,
  validateOpenRPCDocument,
} from "@open-rpc/schema-utils-js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, chromiumPath, startChromium } from "../test/chromium.ts";

if (chromiumPath === null)
  console.warn("skipped: no Chromium, so @open-rpc/docs-react was not run; install Debian's chromium");

/** A copy, because the tools replace references in what they are given. */
const document = (): ParsedDocument => JSON.parse(JSON.stringify(contractDocument)) as ParsedDocument;

type ParsedDocument = Exclude<Parameters<typeof parseOpenRPCDocument>[0], string | undefined>;

describe("@open-rpc/schema-utils-js", () => {
  test("finds no fault in the document", () => {
    expect(validateOpenRPCDocument(document())).toBe(true);
  });

  test("validates the parameters of every recorded example, and refuses wrong ones", async () => {
    const parsed = await parseOpenRPCDocument(document());
    const validator = new MethodCallValidator(parsed);
    for (const method of document().methods) {
      if (!("params" in method)) throw new Error("a method by reference");
      for (const example of method.examples ?? []) {
        if (!("params" in example)) throw new Error("an example by reference");
        const params = Object.fromEntries(
          example.params.map((param) => ("value" in param ? [param.name, param.value] : [])),
        );
        expect(validator.validate(method.name, params), `${method.name}: ${example.name}`).toEqual([]);
      }
    }
    expect(validator.validate("getAccountInfo", { address: 1 })).toHaveLength(1);
    expect(validator.validate("searchAssets", { supply: "many" })).toHaveLength(1);
  });
});

describe.skipIf(chromiumPath === null)("@open-rpc/docs-react", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-docs-react-"));
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test("shows every method and its parameters", async () => {
    await build({
      entryPoints: [fileURLToPath(new URL("../test/render-contract.js", import.meta.url))],
      bundle: true,
      define: { "process.env.NODE_ENV": '"production"' },
      outfile: join(folder, "render.js"),
      logLevel: "silent",
    });
    const schema = JSON.stringify(await parseOpenRPCDocument(document()));
    const scripts = `<script>window.schema = ${schema.replaceAll("<", "\\u003c")};</script><script src="render.js"></script>`;
    writeFileSync(join(folder, "index.html"), `<!doctype html><div id="root"></div>${scripts}`);
    const tab = await browser.openTab();
    await tab.open(pathToFileURL(join(folder, "index.html")).href);
    await tab.until(`document.body.innerText.includes("getLargestAccounts")`);
    const text = await tab.run<string>("document.body.textContent");
    for (const { name } of contractDocument.methods) expect(text).toContain(name);
    expect(tab.complaints).toEqual([]);
  });
});
