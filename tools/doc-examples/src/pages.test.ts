// The code of every guide and README compiles, runs on a server of the sample chain, and prints what its page shows.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../packages/cli/test/run-command.ts";
import { type DemoServer, startDemoServer } from "../../codegen/src/examples/demo-server.ts";
import { compileFolder } from "./compile.ts";
import { docblockModules } from "./docblocks.ts";
import { unusedGivens } from "./givens.ts";
import { readPages, root } from "./pages.ts";
import { blockEnd, programsOf, promisedBy } from "./programs.ts";
import { canRun, nodeFlags, runIn, sampleUrl } from "./run-example.ts";

const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);
const programs = pages.flatMap(programsOf);

// In this package, so that imports find what it depends on.
const scratch = mkdtempSync(join(import.meta.dirname, "../scratch-"));
/** Where the examples run: it has a store of the sample chain. */
const folder = join(scratch, "run");
let server: DemoServer;
beforeAll(async () => {
  mkdirSync(folder);
  server = await startDemoServer(null, null, join(folder, "chain.db"));
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true });
});

const onServer = (code: string): string => code.replaceAll(sampleUrl, server.url);

test("every block has a language that is checked", () => {
  const known = ["ts", "sh", "json", "python"];
  expect(blocks.length).toBeGreaterThan(50);
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ at }) => at)).toEqual([]);
  expect(unusedGivens(blocks)).toEqual([]);
});

test("all TypeScript compiles, that of docblocks too", async () => {
  const docblocks = docblockModules();
  expect(docblocks.length).toBeGreaterThan(10);
  for (const [index, text] of docblocks.entries()) writeFileSync(join(scratch, `docblock-${index}.ts`), text);
  for (const { at, text } of programs) writeFileSync(join(scratch, `${fileOf(at)}.ts`), text);
  expect(await compileFolder(scratch)).toBe("");
});

/** A name for messages of the compiler. */
const fileOf = (at: string): string => at.replaceAll(/[^\w]+/gu, "-");

describe("TypeScript", () => {
  test.each(programs.filter(({ onlyCompiled }) => onlyCompiled === null))(
    "$at prints what its page shows",
    async ({ at, blocks: parts, text }) => {
      const file = join(scratch, `run-${fileOf(at)}.ts`);
      writeFileSync(file, onServer(text));
      const { stdout, stderr } = await runIn(folder, process.execPath, [...nodeFlags, file]);
      expect(stderr).toBe("");
      const printed = stdout.split(`${blockEnd}\n`).slice(0, -1);
      expect(printed.map((one) => one.replaceAll(server.url, sampleUrl))).toEqual(parts.map(promisedBy));
    },
  );
});

/** Raw answers name the version of the server. */
const ofAnyVersion = (text: string): string =>
  text.trim().replaceAll(/"apiVersion":"[^"]*"/gu, '"apiVersion":"…"');

/** A test, and the parts of other tests that it imports. */
const textsOf = (file: string): readonly string[] => {
  const text = readFileSync(file, "utf8");
  const parts = [...text.matchAll(/from "(?<path>[./]+\/test\/[\w-]+\.ts)"/gu)];
  return [text, ...parts.map(({ groups }) => readFileSync(join(dirname(file), groups!["path"]!), "utf8"))];
};

const shellBlocks = blocks.filter(({ language }) => language === "sh");
const checkedText = "checked=";

/** Command lines of ours, without the name of the program. */
const commandsIn = (code: string): readonly string[] =>
  [...code.matchAll(/\b(?:lamplight|@lamplight\/cli) (?<words>[a-z][^#\n|&]*)/gu)].map(({ groups }) =>
    groups!["words"]!.trim(),
  );

/** The words that name the command, and its flags. */
const wordsAndFlagsOf = (line: string): readonly string[] => {
  const words = line.split(/\s+/u);
  const flags = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]!);
  return [...words.slice(0, 2).filter((word) => /^[a-z]+$/u.test(word)), ...flags];
};

describe("a shell block", () => {
  test.each(shellBlocks.filter(({ marks }) => marks.length > 0))(
    "$at names the tests that give its commands and flags",
    ({ at, marks, code }) => {
      for (const mark of marks)
        expect(mark).toMatch(new RegExp(`^${checkedText}[\\w./-]+\\.test\\.ts$`, "u"));
      const texts = marks.flatMap((mark) => textsOf(join(root, mark.slice(checkedText.length))));
      const missing = commandsIn(code).flatMap((line) =>
        wordsAndFlagsOf(line).filter((word) => !texts.some((text) => text.includes(word))),
      );
      expect(missing, at).toEqual([]);
    },
  );

  describe.skipIf(!canRun("calls with curl", "curl", ["--version"]))("without a mark", () => {
    test.each(shellBlocks.filter(({ marks }) => marks.length === 0))(
      "$at prints what its page shows",
      async ({ code, output }) => {
        const { stdout, stderr } = await runIn(folder, "sh", ["-e", "-c", onServer(code)]);
        expect(stderr).toBe("");
        expect(ofAnyVersion(stdout)).toBe(ofAnyVersion(output ?? ""));
      },
    );
  });

  const commands = shellBlocks.flatMap(({ at, code }) => commandsIn(code).map((line) => ({ at, line })));
  test("names commands and flags that there are", async () => {
    expect(commands.length).toBeGreaterThan(20);
    const helps = new Map<string, string>();
    for (const { at, line } of commands) {
      const words = line.split(/\s+/u);
      const plain = words.findIndex((word) => !/^[a-z]+$/u.test(word));
      const name = words.slice(0, Math.min(2, plain === -1 ? words.length : plain));
      const key = name.join(" ");
      if (!helps.has(key)) helps.set(key, (await runCommand([...name, "--help"])).stdout);
      for (const flag of words.filter((word) => word.startsWith("--")))
        expect(helps.get(key), `${at}: ${line}`).toMatch(new RegExp(`${flag.split("=")[0]}\\b`, "u"));
      expect(helps.get(key), `${at}: ${line}`).toContain("lamplight");
    }
  });
});

describe("JSON", () => {
  test.each(blocks.filter(({ language }) => language === "json"))("$at can be parsed", ({ code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow();
  });
});

const pythonBlocks = blocks.filter(({ language }) => language === "python");
const modules = [...new Set(pythonBlocks.flatMap(({ code }) => code.match(/(?<=^from )\w+/gmu) ?? []))];
describe.skipIf(!canRun("Python of the guides", "python3", ["-c", `import ${modules.join(", ")}`]))(
  "Python",
  () => {
    test.each(pythonBlocks)("$at prints what its page shows", async ({ code, output }) => {
      const { stdout, stderr } = await runIn(folder, "python3", ["-c", onServer(code)]);
      expect(stderr).toBe("");
      expect(stdout).toBe(output);
    });
  },
);
