import { beforeAll, describe, expect, test } from "vitest";

import { type CommandResult, runCommand } from "../test/run-command.ts";
import { synonyms } from "./nearest-command.ts";
import { commandLoaders } from "./registry.ts";

describe("lamplight", () => {
  let serveHelp: CommandResult;
  beforeAll(async () => {
    serveHelp = await runCommand(["serve", "--help"]);
  });

  test("helps, and reports its version", async () => {
    expect(await runCommand(["--help"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("serve") as string,
    });
    expect(await runCommand([])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("serve") as string,
    });
    expect(serveHelp).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("--config") as string,
    });
    expect((await runCommand(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  test.each([
    ["--help", "serve"],
    ["-h", "serve"],
    ["help", "serve"],
    ["--help", "serve", "--port", "1"],
  ])("%s %s is the help of that command", async (...args) => {
    expect(await runCommand(args)).toEqual(serveHelp);
  });

  test("synonyms name commands that exist, and are none themselves", () => {
    const names = Object.keys(commandLoaders);
    expect(names).toEqual(expect.arrayContaining(Object.values(synonyms).flat()));
    expect(names.filter((name) => Object.hasOwn(synonyms, name))).toEqual([]);
  });

  test("names the nearest command", async () => {
    const { exitCode, stderr } = await runCommand(["sevre"]);
    expect(stderr).toMatch(/^lamplight: unknown command "sevre"; /u);
    expect((await runCommand(["verfy"])).stderr).toContain("did you mean verify?");
    expect(exitCode).toBe(2);
  });

  test.each(["load", "follow", "fetch"])("%s alone lists its commands", async (word) => {
    const ofWord = Object.keys(commandLoaders).filter((name) => name.startsWith(`${word} `));
    const alone = await runCommand([word]);
    expect([alone.exitCode, alone.stdout]).toEqual([2, ""]);
    for (const args of [
      [word, "--help"],
      ["help", word],
    ])
      expect(await runCommand(args)).toEqual({ exitCode: 0, stdout: alone.stderr, stderr: "" });
    for (const name of ofWord) expect(alone.stderr).toContain(`\n  ${name} `);
    expect(alone.stderr).not.toContain("verify");
  });

  test.each([
    [["load", "acounts"], 'unknown command "load acounts"; did you mean load accounts?'],
    [["follow", "x"], 'unknown command "follow x"; see lamplight follow --help'],
    [["laod", "accounts"], 'unknown command "laod"; did you mean load accounts?'],
    [["verify", "--stor", "x.db"], "Unknown option '--stor'; did you mean --store?"],
    [["follow", "yellowstone", "x", "--standbye"], "Unknown option '--standbye'; did you mean --standby?"],
    [["follow", "rpc", "x", "--programm", "y"], "Unknown option '--programm'; did you mean --program?"],
    [["serve", "--prot", "1", "--key", "k"], "Unknown option '--prot'; did you mean --port?"],
    [["serve", "--metric-port", "1"], "Unknown option '--metric-port'; did you mean --metrics-port?"],
    [["demo", "--strange", "1"], "Unknown option '--strange'; see --help"],
    [["doctor"], 'unknown command "doctor"; did you mean verify?'],
    [["start", "--port", "1"], 'unknown command "start"; did you mean serve, demo or dev?'],
    [
      ["Status"],
      'unknown command "Status"; did you mean wait? A server shows its state at /v3/<API_KEY>/readyz',
    ],
    [["-help"], "options begin with two dashes; did you mean --help?"],
    [["--hlep"], "unknown option; did you mean --help?"],
    [["-version"], "options begin with two dashes; did you mean --version?"],
    [["--store", "x.db"], "the command comes before its options; see lamplight --help"],
    [["serve", "-help"], "options begin with two dashes; did you mean --help?"],
    [["demo", "-port", "1"], "options begin with two dashes; did you mean --port?"],
    [["demo", "--port", "-1"], "--port must be a number from 0 to 65535"],
    [["dev", "--slot-ms", "-1"], "--slot-ms must be a whole number from 1 to 3600000"],
    [["serve", "--store", "--key"], "--store needs a value; one that begins with - is written --store=VALUE"],
  ])("%j is refused with the nearest name", async (args, reason) => {
    expect(await runCommand(args)).toEqual({ exitCode: 2, stdout: "", stderr: `lamplight: ${reason}\n` });
  });
});

test.each([
  ["serve", "correct-horse-battery"],
  ["serve", "--store", "sqlite:x.db", "--", "correct-horse-battery"],
  ["demo", "correct-horse-battery"],
  ["verify", "--store", "x.db", "correct-horse-battery"],
])("a word without a flag may be a key, and is not repeated: %j", async (...args) => {
  const { exitCode, stdout, stderr } = await runCommand(args);
  expect([exitCode, stdout, stderr]).toEqual([
    2,
    "",
    "lamplight: there is a word without a flag; --help lists the flags\n",
  ]);
});

test.each(Object.entries(commandLoaders))(
  "the help of %s has an example that the command takes",
  async (name, load) => {
    const { usage } = await load();
    const examples = usage.split("\n").filter((line) => line.startsWith(`  lamplight ${name} `));
    expect(examples).not.toEqual([]);
    expect(usage).toMatch(/\n\nExamples?:\n  lamplight /u);
    for (const example of examples)
      for (const [flag] of example.matchAll(/--[a-z-]+/gu))
        expect(usage.replace(example, "")).toContain(flag);
  },
);

/** Characters of a line that terminals of usual widths do not break. */
const LINE_MAX = 130;

test.each(Object.entries(commandLoaders))(
  "the help of %s has no line that is too long",
  async (name, load) => {
    const { usage } = await load();
    const lines = `lamplight ${name} ${usage}`.split("\n");
    expect(lines.filter((line) => line.length > LINE_MAX)).toEqual([]);
  },
);
