import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("..", import.meta.url));
const sources = "--conditions=@lamplight/source";
/** The recipe is no part of the run that starts it. */
const { VITEST: _, VITEST_MODE: __, VITEST_POOL_ID: ___, VITEST_WORKER_ID: ____, ...env } = process.env;

test("the recipe for node:test passes", async () => {
  const args = [sources, "--test", "--test-reporter=tap", "recipes/node-test.test.mjs"];
  const { NODE_TEST_CONTEXT: _context, ...clean } = env;
  const { stdout } = await run(process.execPath, args, { cwd: folder, env: clean });
  expect(stdout).toMatch(/^# pass 1$/m);
});

test("the recipe for Vitest passes", async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const args = [vitest, "run", "--config", "test/recipes.vitest.config.ts"];
  const { stdout } = await run(process.execPath, args, {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
  });
  expect(stdout).toMatch(/Tests +1 passed/);
});
