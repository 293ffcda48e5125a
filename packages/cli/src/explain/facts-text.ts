import type { Facts } from "./read-facts.ts";

/** Columns of a line; addresses and paths are never cut. */
const WIDTH = 96;
/** Values of a list that are shown; the others are counted. */
const LISTED_MAX = 12;
const indentText = "  ";

/** Facts in words: `slot 5, write version 3`, and one line or more for each member that has members itself. */
export const factsLines = (facts: Facts, indent: string): readonly string[] => {
  if (!isMembers(facts)) return wrapped([valueText(facts)], indent);
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
  const plain = entries.filter(([, value]) => !hasLines(value));
  const nested = entries.filter(([, value]) => hasLines(value));
  return [
    ...wrapped(
      plain.flatMap(([name, value], index) => factWords(name, value, index < plain.length - 1 ? "," : "")),
      indent,
    ),
    ...nested.flatMap(([name, value]) => memberLines(name, value, indent)),
  ];
};

/** Words on lines of the width, each behind the indent. */
export const wrapped = (words: readonly string[], indent: string): readonly string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && indent.length + longer.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, indent + line];
};

const isMembers = (facts: Facts): facts is { readonly [name: string]: Facts } =>
  typeof facts === "object" && facts !== null && !Array.isArray(facts);

const isList = (facts: Facts): facts is readonly Facts[] => Array.isArray(facts);

/** Whether it has members with members, or is a list of such. */
const hasLines = (facts: Facts): boolean => isMembers(facts) || (isList(facts) && facts.some(hasLines));

const memberLines = (name: string, value: Facts, indent: string): readonly string[] => {
  const items = isList(value) ? value : [value];
  const shown = items.slice(0, LISTED_MAX);
  const lines = shown.flatMap((item) => {
    const [first = "", ...rest] = factsLines(item, indent + indentText);
    return [`${indent}${words(name)}: ${first.trimStart()}`, ...rest];
  });
  const others = items.length - shown.length;
  return others === 0 ? lines : [...lines, `${indent}and ${others} more`];
};

/** A fact as parts that a line is not broken within: each value of a list is one. */
const factWords = (name: string, value: Facts, end: string): readonly string[] => {
  const values = listed(value);
  return values.map(
    (text, index) =>
      `${index === 0 ? `${words(name)} ` : ""}${text}${index === values.length - 1 ? end : ""}`,
  );
};

/** The values of a list, or the one value. */
const listed = (value: Facts): readonly string[] => {
  if (!isList(value) || value.length === 0) return [valueText(value)];
  const others = value.length - LISTED_MAX;
  const shown = value.slice(0, LISTED_MAX).map(valueText);
  return others <= 0 ? shown : [...shown, `and ${others} more`];
};

const valueText = (value: Facts): string => {
  if (value === null || value === undefined || (isList(value) && value.length === 0)) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
};

/** `writeVersion` as `write version`. */
const words = (name: string): string => name.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
