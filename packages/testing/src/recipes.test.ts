import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUserProject, runners } from "../test/user-project.ts";

const matchersInJest = `
import { expect, test } from "@jest/globals";
import { createTestChain } from "@lamplight/testing";
import "@lamplight/testing/jest";
import { testMatchers } from "./matcher-cases.mjs";
testMatchers({ expect, test, createTestChain });
`;

const run = promisify(execFile);
const folder = fileURLToPath(new URL("..", import.meta.url));
/** The recipe is no part of the run that starts it. */
const { VITEST: _, VITEST_MODE: __, VITEST_POOL_ID: ___, VITEST_WORKER_ID: ____, ...inherited } = process.env;
const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...clean } = inherited;
const env = { ...clean, NO_COLOR: "1" };

const chromium = process.env["LAMPLIGHT_CHROMIUM"] ?? "/usr/bin/chromium";
const hasChromium = existsSync(chromium);
if (!hasChromium)
  console.warn(
    `SKIPPED: the recipe for Playwright needs Chromium, and there is none at ${chromium} (apt-get install chromium)`,
  );

test("the recipe for Vitest passes", async () => {
  const args = [join(runners.vitest, "vitest.mjs"), "run", "--config", "test/recipes.vitest.config.ts"];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env });
  expect(stdout).toMatch(/Tests +1 passed/);
});

describe("in a project with the built package", () => {
  let project: string;
  beforeAll(() => {
    project = createUserProject();
  });
  afterAll(() => rmSync(project, { recursive: true }));

  test("the recipe for node:test passes", async () => {
    const args = ["--test", "--test-reporter=tap", "node-test.test.mjs"];
    const { stdout } = await run(process.execPath, args, { cwd: project, env });
    expect(stdout).toMatch(/^# pass 1$/m);
  });

  test("the recipe for Jest passes", async () => {
    const jest = join(runners.jest, "bin/jest.js");
    const args = ["--experimental-vm-modules", jest, "--config", "jest.config.json"];
    const { stderr } = await run(process.execPath, args, { cwd: project, env });
    expect(stderr).toMatch(/^Tests: +1 passed, 1 total$/m);
  });

  test("the matchers pass the same tests in Jest as in Vitest", async () => {
    const cases = readFileSync(join(folder, "test/matcher-cases.ts"), "utf8");
    writeFileSync(join(project, "matcher-cases.mjs"), stripTypeScriptTypes(cases));
    writeFileSync(join(project, "matchers.test.mjs"), matchersInJest);
    const args = [
      "--experimental-vm-modules",
      join(runners.jest, "bin/jest.js"),
      "--config",
      "jest.config.json",
    ];
    const { stderr } = await run(process.execPath, [...args, "--testMatch", "**/matchers.test.mjs"], {
      cwd: project,
      env,
    });
    expect(stderr).toMatch(/^Tests: +6 passed, 6 total$/m);
  });

  test.each(["", "/jest", "/matchers", "/vitest"])("%s says which Node it needs", async (entry) => {
    const older = `Object.defineProperty(process.versions, "node", { value: "22.14.9" });`;
    const script = `await import(${JSON.stringify(`@lamplight/testing${entry}`)}).catch(({ message }) => console.log(message));`;
    const args = ["--input-type=module", "--eval", older + script];
    const { stdout } = await run(process.execPath, args, { cwd: project, env });
    expect(stdout).toBe("@lamplight/testing needs Node 22.15 or newer; this is Node 22.14.9\n");
  });

  test.skipIf(!hasChromium)("the recipe for Playwright passes", async () => {
    const playwright = join(runners["@playwright/test"], "cli.js");
    const args = [playwright, "test", "--config", "playwright.config.mjs", "--reporter=list"];
    const { stdout } = await run(process.execPath, args, { cwd: project, env });
    expect(stdout).toMatch(/^ +1 passed/m);
  });
});
