import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  contractProse,
  longBulletsIn,
  longSectionsIn,
  phrasesOf,
  privateNamesIn,
  privateWords,
  privateWordsIn,
  privateWordsInComments,
} from "./plain-words.ts";

const root = new URL("../../..", import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const files = (...globs: readonly string[]): readonly string[] =>
  execFileSync("git", ["ls-files", "--", ...globs], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "");

const guides = files("*.md").filter((file) => !file.startsWith(".changeset/"));
/** Simulations and the tests of a package are read by contributors only. */
const sources = files("packages/*/src/*.ts").filter(
  (file) => !/\.test\.ts$|\/generated\/|^packages\/devchain\//u.test(file),
);

/** Everything that a contributor reads, tests included, but for the file that lists the words. */
const everySource = files(
  "packages/*.ts",
  "packages/docs/src/assets/*.js",
  "tools/*.ts",
  "examples/*.ts",
  "examples/*.tsx",
).filter((file) => !/\/generated\/|\/plain-words(?:\.test)?\.ts$/u.test(file));

describe("comments and names", () => {
  test("have no private words", () => {
    expect(everySource.length).toBeGreaterThan(1000);
    expect(everySource.flatMap((file) => privateWordsInComments(file, read(file)))).toEqual([]);
    expect(everySource.flatMap((file) => privateNamesIn(file, read(file)))).toEqual([]);
  });
});

describe("text that people see", () => {
  test("there is some", () => {
    expect(guides.length).toBeGreaterThan(15);
    expect(sources.length).toBeGreaterThan(300);
  });

  test("has no private words in guides", () => {
    expect(guides.flatMap((file) => privateWordsIn(file, read(file)))).toEqual([]);
  });

  test("has no private words in help, log lines and errors", () => {
    expect(sources.flatMap((file) => privateWordsIn(file, phrasesOf(read(file))))).toEqual([]);
  });

  test("has no private words in the contract", () => {
    const prose = contractProse(JSON.parse(read("openrpc.json")));
    expect(prose.length).toBeGreaterThan(100);
    expect(privateWordsIn("openrpc.json", prose.join("\n"))).toEqual([]);
  });

  test("has short bullets, and short sections in the guide to the command line", () => {
    expect(guides.flatMap((file) => longBulletsIn(file, read(file)))).toEqual([]);
    expect(longSectionsIn("packages/cli/README.md", read("packages/cli/README.md"))).toEqual([]);
  });
});

describe("the checks", () => {
  test("find every private word, with its line and the word to use", () => {
    const example = "told, hole, taken back, census, rooted, anew, nobody, wanted, stands on, beside, speaks";
    const words = example.split(", ");
    const text = [...words, "husk", "storm", "bridged", "begun", "in step", "whole slot"].join("\n");
    const found = privateWordsIn("x", text);
    expect(found).toHaveLength(privateWords.length);
    expect(found[3]).toBe('x:4: "census"; use full rescan: census');
  });

  test("read phrases of a source, not its comments, names and values", () => {
    const source =
      '// nobody\n * nobody here\nconst anew = "anew";\nsay(`a ${told} b`);\nsay("start anew");\n';
    expect(privateWordsIn("x", phrasesOf(source))).toEqual([
      'x:5: "anew"; use again, from scratch: "start anew"',
    ]);
  });

  test("read comments, not code, and names in code", () => {
    const source =
      '// start anew, whatever the `anew`\nconst anew = "whatever";\n/** @param beside - a file */\n';
    expect(privateWordsInComments("x", source)).toEqual([
      expect.stringContaining('x:1: "anew"'),
      expect.stringContaining('x:1: "whatever"'),
    ]);
    for (const phrase of ["held against", "put back", "looks at", "at hand", "for people", "in the midst"])
      expect(privateWordsInComments("x", `// ${phrase}`)).toHaveLength(1);
    expect(privateWordsInComments("x", "// spoken\n// are passed over\n// one pass over it")).toHaveLength(2);
    const names = "SELECT * FROM unrooted_slot\nconst rootedSlot = 1;\nstakeHolds\n#begun\nmerkleRoot\n";
    expect(privateNamesIn("x", names)).toEqual([
      expect.stringContaining('x:2: "rootedSlot"'),
      expect.stringContaining('x:3: "stakeHolds"'),
      expect.stringContaining('x:4: "begun"'),
    ]);
  });

  test("find long bullets and sections", () => {
    expect(longBulletsIn("x", `- one two\n- ${"word ".repeat(36)}\n  more\n`)).toEqual([
      expect.stringContaining("x: 37 words: word word"),
    ]);
    expect(longSectionsIn("x", `# A\n${"line\n".repeat(19)}## B\n${"line\n".repeat(20)}`)).toEqual([
      "x: 21 lines: ## B",
    ]);
  });
});
