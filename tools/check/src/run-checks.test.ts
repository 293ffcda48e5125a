import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Check, runChecks } from "./run-checks.ts";

const node = (name: string, code: string): Check => ({
  name,
  command: `"${process.execPath}" -e "${code}"`,
});

test("every check runs, also after one has failed, and keeps what it printed", async () => {
  const ended: string[] = [];
  const checks = [
    node("wrong", "console.error('line 7 is wrong'); process.exit(3)"),
    node("right", "console.log('all is well')"),
  ];
  const results = await runChecks(checks, 1, ({ name }) => ended.push(name));
  expect(results).toMatchObject([
    { name: "wrong", passed: false, output: "line 7 is wrong\n" },
    { name: "right", passed: true, output: "all is well\n" },
  ]);
  expect(ended).toEqual(["wrong", "right"]);
});

test("checks run side by side", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Each waits for the file of the other.
  const waiting = (own: string, other: string): Check =>
    node(
      own,
      `const fs = require('node:fs'); fs.writeFileSync('${join(folder, own)}', ''); setInterval(() => { if (fs.existsSync('${join(folder, other)}')) process.exit(0); }, 5)`,
    );
  const results = await runChecks([waiting("a", "b"), waiting("b", "a")], 2);
  expect(results.map(({ passed }) => passed)).toEqual([true, true]);
});

test("the command names what failed, and how to run it again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const scripts = { build: "exit 1", "check:types": "echo 'no such type' && exit 2", "check:lint": "exit 0" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const run = (...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      execFile(process.execPath, [main, ...args], { cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  const { code, stdout } = await run();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED {2}types [^]*no such type[^]*^1 of 2 checks failed: types$/mu);
  expect(stdout).toContain("npm run check -- types");
  expect((await run("lint")).code).toBe(0);
  expect(await run("lnt")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no check lnt; there are types, lint"),
  });
});
