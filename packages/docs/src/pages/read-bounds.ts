import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const repository = new URL("../../../..", import.meta.url).pathname;

/** Files that hold nothing but bounds. */
const pattern = "packages/*/src/**/{limits,*-limits}.ts";

/** A constant of the code that bounds something. */
export interface Bound {
  readonly name: string;
  /** The text of the value in the code; null = a setting whose default is computed. */
  readonly value: string | null;
  /** Its docblock, or that of the constants directly above it. Empty where neither has one. */
  readonly about: string;
}

/** The bounds of one file, in its order. */
export interface BoundsFile {
  /** Below `packages`. */
  readonly path: string;
  readonly bounds: readonly Bound[];
}

/** Every file of bounds, read from the sources. */
export const readBoundsFiles = (root: string = repository): readonly BoundsFile[] =>
  globSync(pattern, { cwd: join(root) })
    .toSorted()
    .map((path) => ({
      path: path.slice("packages/".length),
      bounds: boundsOf(readFileSync(join(root, path), "utf8")),
    }))
    .filter(({ bounds }) => bounds.length > 0);

/** Members of an interface of settings have their values in an object below it. */
const member = /^ {2}readonly (\w+): number;$/u;
const constant = /^export const (\w+)(?:: \w+)? =(.*)$/u;

const boundsOf = (text: string): readonly Bound[] => {
  const lines = text.split("\n");
  const found: Bound[] = [];
  let about = "";
  for (const [index, line] of lines.entries()) {
    const name = (member.exec(line) ?? constant.exec(line))?.[1];
    if (line === "") about = "";
    else if (line.trim().endsWith("*/")) about = docblockAbove(lines, index);
    if (name === undefined) continue;
    const value = member.test(line) ? settingOf(text, name) : expressionFrom(lines, index);
    // An object holds the values of the settings above it.
    if (value === null || (/\d/u.test(value) && !value.startsWith("{"))) found.push({ name, value, about });
  }
  return found;
};

const docblockAbove = (lines: readonly string[], end: number): string => {
  let start = end;
  while (!lines[start]!.trim().startsWith("/**")) start -= 1;
  const words = lines
    .slice(start, end + 1)
    .map((line) => line.replaceAll(/^\s*(\/\*\*|\*(?!\/))|\*\/$/gu, "").trim());
  return words.join(" ").trim();
};

const settingOf = (text: string, name: string): string | null =>
  new RegExp(`^ {2}${name}: ([^\\n]*\\d[^\\n]*),$`, "mu").exec(text)?.[1] ?? null;

/** Up to the semicolon; a function shows what it returns. */
const expressionFrom = (lines: readonly string[], start: number): string => {
  const end = lines.findIndex((line, index) => index >= start && line.endsWith(";"));
  const text = lines
    .slice(start, end + 1)
    .map((line) => line.trim())
    .join(" ");
  return text.replace(/^[^=]*= ?(\(\): number => )?/u, "").replace(/;$/u, "");
};
