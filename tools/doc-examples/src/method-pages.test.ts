// The code on the page of every method runs in each language, and is answered as the first example of the page shows.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseExact } from "@lamplight/client";
import { contractDocument } from "@lamplight/contract";
import { siteFiles } from "@lamplight/docs/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../../codegen/src/examples/demo-server.ts";
import { compileFolder } from "./compile.ts";
import { canRun, nodeFlags, runIn, sampleUrl } from "./run-example.ts";

const scratch = mkdtempSync(join(import.meta.dirname, "../scratch-"));
let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true });
});

interface MethodExample {
  readonly method: string;
  readonly code: string;
  /** The result that the first example of the page shows. */
  readonly result: unknown;
}

const unescaped = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/gu, ""));

const site = siteFiles();

/** The code under the tab of a language, by method. */
const examplesIn = (language: string): readonly MethodExample[] => {
  const tab = new RegExp(
    `<label[^>]*>${language}</label><div class="tab"><pre[^>]*><code>([^<]*)</code>`,
    "u",
  );
  const answer = /<p class="label">Answer<\/p>\s*<pre[^>]*><code>(.*?)<\/code>/su;
  return [...site].flatMap(([path, html]) => {
    const method = /^methods\/(\w+)\.html$/u.exec(path)?.[1];
    const code = tab.exec(html)?.[1];
    const shown = answer.exec(html)?.[1];
    if (method === undefined || code === undefined || shown === undefined) return [];
    const { result } = parseExact(textOf(shown)) as { result: unknown };
    return [{ method, code: unescaped(code), result }];
  });
};

const onServer = (code: string): string => {
  expect(code).toContain(sampleUrl);
  return code.replaceAll(sampleUrl, server.url);
};

const methodCount = contractDocument.methods.length;
test("every method has an example in every language", () => {
  for (const language of ["curl", "TypeScript", "Python", "Rust"])
    expect(examplesIn(language)).toHaveLength(methodCount);
});

describe("TypeScript", () => {
  const examples = examplesIn("TypeScript");
  test("compiles", async () => {
    for (const { method, code } of examples) writeFileSync(join(scratch, `${method}.ts`), code);
    expect(await compileFolder(scratch)).toBe("");
  });

  test.each(examples)("$method is answered as the page shows", async ({ method, code, result }) => {
    const file = join(scratch, `run-${method}.ts`);
    const exact = 'import { stringifyExact } from "@lamplight/client";\n';
    const shown = onServer(code).replace("console.log(result)", "console.log(stringifyExact(result))");
    writeFileSync(file, exact + shown);
    const { stdout, stderr } = await runIn(scratch, process.execPath, [...nodeFlags, file]);
    expect(stderr).toBe("");
    expect(parseExact(stdout)).toEqual(result);
  });
});

describe.skipIf(!canRun("curl on the pages of methods", "curl", ["--version"]))("curl", () => {
  test.each(examplesIn("curl"))("$method is answered as the page shows", async ({ code, result }) => {
    const { stdout } = await runIn(scratch, "sh", ["-e", "-c", onServer(code)]);
    expect(parseExact(stdout)).toEqual({ jsonrpc: "2.0", result, id: 1 });
  });
});

describe.skipIf(!canRun("Python on the pages of methods", "python3", ["--version"]))("Python", () => {
  test.each(examplesIn("Python"))("$method prints what the page shows", async ({ code, result }) => {
    const { stdout, stderr } = await runIn(scratch, "python3", ["-c", onServer(code)]);
    expect(stderr).toBe("");
    expect(parseExact(stdout)).toEqual(result);
  });
});

/** A folder of cargo with the crates that the examples name: no test installs them. */
const cargoFolder = process.env["LAMPLIGHT_CARGO_FOLDER"] ?? "";
if (cargoFolder === "")
  console.warn(
    "SKIPPED: Rust on the pages of methods, because LAMPLIGHT_CARGO_FOLDER names no folder with the crates",
  );
describe.skipIf(cargoFolder === "")("Rust", () => {
  test.each(examplesIn("Rust"))("$method prints what the page shows", async ({ code, result }) => {
    writeFileSync(join(cargoFolder, "src/main.rs"), onServer(code));
    const { stdout } = await runIn(cargoFolder, "cargo", ["run", "--quiet", "--offline"]);
    expect(parseExact(stdout)).toEqual(result);
  });
});

test.each(examplesIn("Rust"))("Rust: $method sends the call that curl sends", ({ method, code }) => {
  const curl = examplesIn("curl").find((example) => example.method === method)!.code;
  const sent = JSON.parse(/-d '(.*)'$/su.exec(curl)![1]!) as unknown;
  expect(JSON.parse(/json!\((\{.*\})\);/su.exec(code)![1]!)).toEqual(sent);
});
