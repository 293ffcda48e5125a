import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = new URL("../../..", import.meta.url).pathname;

/** Pages that a person reads and copies from, apart from the pages of methods. */
const pages = [
  "README.md",
  "examples/*/README.md",
  "packages/*/README.md",
  "packages/cli/deploy/README.md",
  "packages/docs/guides/*.md",
];

/** A fenced block of a page. */
export interface Block {
  /** Path and line, for messages. */
  readonly at: string;
  /** First word behind the fence. */
  readonly language: string;
  /** Other words behind the fence. */
  readonly marks: readonly string[];
  readonly code: string;
  /** The block of output right behind it; null where there is none. */
  readonly output: string | null;
}

export interface Page {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly blocks: readonly Block[];
}

export const readPages = (): readonly Page[] =>
  pages
    .flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())
    .map((path) => ({ path, blocks: blocksOf(path, readFileSync(join(root, path), "utf8")) }));

const fence = /^```(?<info>.*)\n(?<code>[\s\S]*?)^```$(?:\n\n```text\n(?<output>[\s\S]*?)^```$)?/gmu;

const blocksOf = (path: string, text: string): readonly Block[] =>
  [...text.matchAll(fence)].map(({ index, groups }) => {
    const { info = "", code = "", output } = groups as { info?: string; code?: string; output?: string };
    const [language = "", ...marks] = info.trim().split(/\s+/u);
    const line = text.slice(0, index).split("\n").length;
    return { at: `${path}:${line}`, language, marks, code, output: output ?? null };
  });
