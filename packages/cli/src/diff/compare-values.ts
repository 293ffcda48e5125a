import { InexactNumber } from "@lamplight/core";
import { isMembers } from "./members.ts";

/** One place in which two answers differ. */
export interface Difference {
  /** JSON pointer; empty = the whole value. */
  readonly at: string;
  /** Undefined = absent. */
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Differences of one answer that are listed; the others are counted. */
const DIFFERENCES_MAX = 1000;

/** Field by field. Numbers are as `parseExact` of core gives them; `1.0` and `1` are the same number in another text. */
export const compareValues = (ours: unknown, theirs: unknown, at = ""): readonly Difference[] => {
  const found: Difference[] = [];
  collect(ours, theirs, at, found);
  return found;
};

const collect = (ours: unknown, theirs: unknown, at: string, found: Difference[]): void => {
  if (found.length >= DIFFERENCES_MAX || isSame(ours, theirs)) return;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length);
    for (let index = 0; index < length; index += 1)
      collect(ours[index], theirs[index], `${at}/${index}`, found);
    return;
  }
  if (isMembers(ours) && isMembers(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
      collect(own(ours, name), own(theirs, name), `${at}/${escaped(name)}`, found);
    return;
  }
  found.push({ at, ours, theirs });
};

const isSame = (ours: unknown, theirs: unknown): boolean =>
  Object.is(ours, theirs) ||
  (ours instanceof InexactNumber && theirs instanceof InexactNumber && ours.text === theirs.text);

/** Exact value of a number where it is whole, else the nearest double; null = no number. */
export const numberOf = (value: unknown): number | bigint | null => {
  if (typeof value === "bigint") return value;
  const double = value instanceof InexactNumber ? value.value : value;
  if (typeof double !== "number") return null;
  return Number.isSafeInteger(double) ? BigInt(double) : double;
};

const own = (members: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
