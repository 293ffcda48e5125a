// The code of the reference pages runs, on a server of the sample chain.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { siteFiles } from "@lamplight/docs/build";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../examples/demo-server.ts";

const run = promisify(execFile);
const SAMPLE_URL = "http://127.0.0.1:5267";
const client = new URL("../../../../packages/client/src/index.ts", import.meta.url).href;

const folder = mkdtempSync(join(tmpdir(), "lamplight-code-examples-"));
let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn(
      `SKIPPED: the ${command} examples of the reference do not run, because there is no ${command}`,
    );
    return false;
  }
};

const unescaped = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The code under the tab of a language, by method. */
const examplesIn = (language: string): readonly { readonly method: string; readonly code: string }[] => {
  const tab = new RegExp(
    `<label[^>]*>${language}</label><div class="tab"><pre[^>]*><code>([^<]*)</code>`,
    "u",
  );
  return [...siteFiles()].flatMap(([path, html]) => {
    const method = /^methods\/(\w+)\.html$/u.exec(path)?.[1];
    const code = tab.exec(html)?.[1];
    return method === undefined || code === undefined ? [] : [{ method, code: unescaped(code) }];
  });
};

test("every method has an example in every language", () => {
  for (const language of ["curl", "TypeScript", "Python", "Rust"])
    expect(examplesIn(language)).toHaveLength(7);
});

/** Runs an example on our server. @returns what it prints */
const runExample = async (command: string, args: readonly string[], code: string): Promise<string> => {
  expect(code).toContain(SAMPLE_URL);
  const file = join(folder, `example-${command.replaceAll("/", "-")}.ts`);
  writeFileSync(
    file,
    code.replaceAll(SAMPLE_URL, server.url).replaceAll('"@lamplight/client"', `"${client}"`),
  );
  return (await run(command, [...args, file])).stdout;
};

describe.skipIf(!isInstalled("python3"))("in Python", () => {
  test.each(examplesIn("Python"))("$method answers", async ({ code }) => {
    expect((await runExample("python3", [], code)).trim()).toMatch(/^[{[]/u);
  });
});

describe.skipIf(!isInstalled("curl"))("with curl", () => {
  test.each(examplesIn("curl"))("$method answers", async ({ code }) => {
    expect(JSON.parse(await runExample("sh", [], code.replace("curl", "curl -sS")))).toHaveProperty("result");
  });
});

// No test compiles Rust: that takes a compiler and crates. What can differ between methods is the call.
test.each(examplesIn("Rust"))("in Rust $method sends the call that curl sends", ({ method, code }) => {
  expect(code).toContain(SAMPLE_URL);
  const curl = examplesIn("curl").find((example) => example.method === method)!.code;
  const sent = JSON.parse(/-d '(.*)'$/su.exec(curl)![1]!) as unknown;
  expect(JSON.parse(/json!\((\{.*\})\);/su.exec(code)![1]!)).toEqual(sent);
});

test.each(examplesIn("TypeScript"))("in TypeScript $method answers", async ({ code }) => {
  const flags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
  const printed = `${code}\nconsole.log(typeof result);`;
  expect(await runExample(process.execPath, flags, printed)).toBe("object\n");
});
