import { isMembers, listOf, membersOf, type Members } from "../read-json.ts";
import { exactNumber, sameNumber, shown } from "./exact-value.ts";

/**
 * Differences between an answer and an expectation that may hold matchers (`$any`, `$objectContaining`,
 * `$arrayContaining`, `$stringMatching`, `$stringContaining`, `$closeTo`); empty = it matches.
 */
export const matchExpected = (actual: unknown, expected: unknown, at = ""): readonly string[] => {
  const matcher = matcherOf(expected);
  if (matcher !== null) return matchMatcher(actual, matcher.name, matcher.argument, at);
  const expectedNumber = exactNumber(expected);
  if (expectedNumber !== null) {
    const actualNumber = exactNumber(actual);
    return actualNumber !== null && sameNumber(actualNumber, expectedNumber)
      ? []
      : [differs(at, expected, actual)];
  }
  if (Array.isArray(expected)) return matchList(actual, expected, at);
  if (isMembers(expected))
    return [...matchMembers(actual, expected, at), ...unexpectedMembers(actual, expected, at)];
  return actual === expected ? [] : [differs(at, expected, actual)];
};

const matcherOf = (expected: unknown): { name: string; argument: unknown } | null => {
  if (!isMembers(expected)) return null;
  const [name, ...others] = Object.keys(expected);
  return name?.startsWith("$") === true && others.length === 0 ? { name, argument: expected[name] } : null;
};

const matchMatcher = (actual: unknown, name: string, argument: unknown, at: string): readonly string[] => {
  switch (name) {
    case "$any":
      return isOfType(actual, String(argument))
        ? []
        : [`${at}: expected any ${String(argument)}, got ${shown(actual)}`];
    case "$objectContaining":
      return matchMembers(actual, membersOf(argument), at);
    case "$arrayContaining": {
      const missing = listOf(argument).filter(
        (item) => !listOf(actual).some((candidate) => matchExpected(candidate, item).length === 0),
      );
      return missing.map((item) => `${at}: no item matches ${shown(item)} in ${shown(actual)}`);
    }
    case "$stringMatching":
      return typeof actual === "string" && regexOf(String(argument)).test(actual)
        ? []
        : [`${at}: expected text matching ${String(argument)}, got ${shown(actual)}`];
    case "$stringContaining":
      return typeof actual === "string" && actual.includes(String(argument))
        ? []
        : [differs(at, argument, actual)];
    case "$closeTo": {
      const [target, digits] = [Number(listOf(argument)[0] ?? argument), Number(listOf(argument)[1] ?? 2)];
      const near = Math.abs(Number(exactNumber(actual)) - target) < 10 ** -digits / 2;
      return near ? [] : [differs(at, argument, actual)];
    }
    default:
      return [`${at}: ${name} is no matcher this runner knows`];
  }
};

/** Names of JavaScript's types, as the client sees our JSON: it reads every integer of the chain as BigInt. */
const isOfType = (value: unknown, type: string): boolean => {
  switch (type) {
    case "BigInt":
      return typeof exactNumber(value) === "bigint";
    case "Number":
      return exactNumber(value) !== null;
    case "String":
      return typeof value === "string";
    case "Boolean":
      return typeof value === "boolean";
    case "Array":
      return Array.isArray(value);
    case "Object":
      return isMembers(value);
    default:
      return false;
  }
};

/** `/pattern/flags`, or a pattern without slashes. */
const regexOf = (text: string): RegExp => {
  const parts = /^\/(.*)\/([a-z]*)$/su.exec(text);
  return parts === null ? new RegExp(text, "u") : new RegExp(parts[1] ?? "", parts[2]);
};

const matchList = (actual: unknown, expected: readonly unknown[], at: string): readonly string[] => {
  if (!Array.isArray(actual)) return [differs(at, expected, actual)];
  if (actual.length !== expected.length) {
    return [`${at}: expected ${expected.length} items, got ${actual.length}: ${shown(actual)}`];
  }
  return expected.flatMap((item, index) => matchExpected(actual[index], item, `${at}/${index}`));
};

const matchMembers = (actual: unknown, expected: Members, at: string): readonly string[] => {
  if (!isMembers(actual)) return [differs(at, expected, actual)];
  return Object.entries(expected).flatMap(([name, member]) =>
    matchExpected(actual[name], member, `${at}/${name}`),
  );
};

const unexpectedMembers = (actual: unknown, expected: Members, at: string): readonly string[] =>
  Object.keys(membersOf(actual))
    .filter((name) => !Object.hasOwn(expected, name))
    .map((name) => `${at}/${name}: not expected, got ${shown(membersOf(actual)[name])}`);

const differs = (at: string, expected: unknown, actual: unknown): string =>
  `${at === "" ? "/" : at}: expected ${shown(expected)}, got ${shown(actual)}`;
