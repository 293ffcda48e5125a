// The code of the guides runs, on a server of the sample chain.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readGuides } from "@lamplight/docs/build";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../examples/demo-server.ts";

const run = promisify(execFile);
const client = new URL("../../../../packages/client/src/index.ts", import.meta.url).href;
const SAMPLE_URL = "http://127.0.0.1:5267";

const folder = mkdtempSync(join(tmpdir(), "lamplight-guides-"));
let server: DemoServer;
beforeAll(async () => {
  server = await startDemoServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** All TypeScript of a guide in one module: later parts use what earlier ones declare. */
const codeOf = (text: string): string =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map((match) => match[1]).join("\n");

const guides = readGuides()
  .map(({ name, text }) => ({ name, code: codeOf(text) }))
  .filter(({ code }) => code !== "");

test("most guides have code", () => {
  expect(guides.length).toBeGreaterThan(8);
});

test.each(guides)("the code of $name runs and prints", async ({ name, code }) => {
  expect(code).toContain(SAMPLE_URL);
  const file = join(folder, `${name}.ts`);
  writeFileSync(
    file,
    code.replaceAll(SAMPLE_URL, server.url).replaceAll('"@lamplight/client"', `"${client}"`),
  );
  const flags = ["--conditions=@lamplight/source", "--disable-warning=ExperimentalWarning"];
  const { stdout, stderr } = await run(process.execPath, [...flags, file]);
  expect(stderr).toBe("");
  expect(stdout.trim()).not.toBe("");
  expect(stdout).not.toMatch(/undefined|NaN|\[object/u);
});
