import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sentencesIn } from "./sentences.ts";

const root = new URL("../../..", import.meta.url).pathname;

/** Share of the sentences of a folder that may begin without a subject; one may in each folder. */
const SHARE_MAX = 0.03;

const sources = execFileSync("git", ["ls-files", "--", "packages/*.ts", "tools/*.ts"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !file.includes("/generated/"));

const folders = [...new Set(sources.map((file) => file.split("/", 2).join("/")))];

test("there are sources", () => {
  expect(sources.length).toBeGreaterThan(1000);
});

test.each(folders)("sentences of comments in %s have a subject", (folder) => {
  const sentences = sources
    .filter((file) => file.startsWith(`${folder}/`) || file === folder)
    .flatMap((file) => sentencesIn(readFileSync(join(root, file), "utf8")).map((one) => ({ file, ...one })));
  const lacking = sentences.filter(({ lacksSubject }) => lacksSubject);
  const listed = lacking.map(({ file, text }) => `${file}: ${text}`).join("\n");
  expect(lacking.length, listed).toBeLessThanOrEqual(Math.max(1, SHARE_MAX * sentences.length));
});

const wrong = (source: string): readonly string[] =>
  sentencesIn(source)
    .filter(({ lacksSubject }) => lacksSubject)
    .map(({ text }) => text);

describe("sentencesIn", () => {
  test("finds sentences without a subject in each kind of comment", () => {
    const source = [
      "/** Of the store. The rest has a subject. */",
      "/**",
      " * The first line goes on",
      " * here. What follows the name.",
      " *",
      " * @returns of nothing",
      " */",
      "// With spaces between",
      "// members.",
      "const a = 1;",
    ].join("\n");
    expect(wrong(source)).toEqual([
      "Of the store.",
      "What follows the name.",
      "With spaces between members.",
    ]);
  });

  test("lets a clause begin a sentence, and reads no code, list or text", () => {
    const source = [
      "// Where a store answers at once, nothing waits.",
      "/** - Of a list */",
      'const text = "Of a text.";',
      "/**",
      " * A word:",
      " * ```ts",
      " * // Of code.",
      " * ```",
      " */",
    ].join("\n");
    expect(wrong(source)).toEqual([]);
  });
});
