import type { ValidationIssue } from "@lamplight/contract";
import { InexactNumber } from "../json/parse-exact.ts";
import { foreignNames } from "./foreign-names.ts";
import { nearestName } from "./nearest-name.ts";
import type { NamedParams } from "./parameter-rules.ts";

/** Longest piece of a caller's own value that is repeated to them. */
const ECHO_LENGTH_MAX = 40;

/**
 * Describes what is wrong, in words after the parameter's name, and names the nearest valid word where there is one.
 *
 * @param members - known members of the parameter, when it is an object
 */
export const describeIssue = (
  issue: ValidationIssue,
  named: NamedParams,
  members: readonly string[],
): { reason: string; hint?: string } => {
  const value = valueAt(named, issue.path);
  switch (issue.keyword) {
    case "required":
      return { reason: "is required" };
    case "additionalProperties":
      // The members of such a number are ours, not the caller's.
      if (value instanceof InexactNumber) return { reason: `must be object but got ${describeValue(value)}` };
      return describeUnknownMember(String(issue.params["additionalProperty"]), members);
    case "anyOf":
      return {
        reason: `must be an object with exactly one of ${members.join(" and ")} but got ${describeValue(value)}`,
      };
    case "enum": {
      const words = (issue.params["allowedValues"] as readonly unknown[])
        .filter((word) => word !== null)
        .map(String);
      const nearest = typeof value === "string" ? nearestName(value, words) : undefined;
      return {
        reason: `must be one of ${words.join(", ")} but got ${describeValue(value)}`,
        ...(nearest === undefined ? {} : { hint: `did you mean ${nearest}?` }),
      };
    }
    case "minItems":
    case "maxItems":
      return { reason: `must have ${countOf(issue)} but got ${describeValue(value)}` };
    default:
      return { reason: `${issue.message} but got ${describeValue(value)}` };
  }
};

/** A pair is the one list of a fixed length. */
const PAIR_LENGTH = 2;

const countOf = ({ keyword, params }: ValidationIssue): string => {
  const limit = Number(params["limit"]);
  if (limit === PAIR_LENGTH) return `exactly ${limit} items`;
  return `${keyword === "minItems" ? "at least" : "at most"} ${limit} ${limit === 1 ? "item" : "items"}`;
};

const describeUnknownMember = (
  unknown: string,
  members: readonly string[],
): { reason: string; hint?: string } => {
  const nearest = nearestName(unknown, members);
  const hint = foreignNames.get(unknown) ?? (nearest === undefined ? undefined : `did you mean ${nearest}?`);
  return {
    reason: `has an unknown member ${JSON.stringify(unknown.slice(0, ECHO_LENGTH_MAX))}`,
    ...(hint === undefined ? {} : { hint }),
  };
};

/** A value in few words: its kind, and what of it fits. */
const describeValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value instanceof InexactNumber) return `the number ${value.text.slice(0, ECHO_LENGTH_MAX)}`;
  if (typeof value === "string") return `the string ${JSON.stringify(value.slice(0, ECHO_LENGTH_MAX))}`;
  if (typeof value === "number" || typeof value === "bigint")
    return `the number ${String(value).slice(0, ECHO_LENGTH_MAX)}`;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const names = Object.keys(value).slice(0, 2);
  return names.length === 0
    ? "an empty object"
    : `an object with ${names.map((name) => name.slice(0, ECHO_LENGTH_MAX)).join(" and ")}`;
};

/** The value at a path of member names; undefined when there is none. */
export const valueAt = (root: unknown, path: readonly string[]): unknown => {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as { [step: string]: unknown })[step];
  }
  return value;
};
