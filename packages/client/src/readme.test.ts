import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoWorld, openDemoWorld } from "../test/demo-world.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

let world: DemoWorld;
const scratch = mkdtempSync(join(tmpdir(), "lamplight-readme-"));
beforeAll(async () => {
  world = await openDemoWorld();
});
afterAll(async () => {
  await world.close();
  rmSync(scratch, { recursive: true });
});

/** Runs an example against the demo chain; what it prints. */
const run = async (example: string): Promise<readonly string[]> => {
  const sources = { "@lamplight/client": "./index.ts", "@lamplight/client/in-process": "./in-process.ts" };
  let code = stripTypeScriptTypes(example).replaceAll("http://127.0.0.1:5267", world.url);
  for (const [name, file] of Object.entries(sources))
    code = code.replace(`"${name}"`, JSON.stringify(new URL(file, import.meta.url).href));
  const printed: string[] = [];
  const globals = globalThis as { viewSource?: unknown; readmeLog?: (...values: readonly unknown[]) => void };
  globals.viewSource = world.viewSource;
  globals.readmeLog = (...values) =>
    void printed.push(values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" "));
  const file = join(scratch, `example-${example.length}.mjs`);
  writeFileSync(file, code.replaceAll("console.log(", "globalThis.readmeLog("));
  await import(file);
  return printed;
};

describe("the examples of the README", () => {
  test.each(examples.map((example) => [example.split("\n")[0]!, example]))("%s", async (_first, example) => {
    const promised = [...example.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(0);
    expect(await run(example)).toEqual(promised);
  });
});
