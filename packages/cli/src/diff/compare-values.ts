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
    const pairs = pairsById(ours, theirs);
    if (pairs !== null) return collectPairs(pairs, at, found);
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

/** An item of a list, in both lists where they have it. */
interface Pair {
  readonly place: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Records of two lists with other ids: one more or less would shift all that follow. Null = compare by position. */
const pairsById = (ours: readonly unknown[], theirs: readonly unknown[]): readonly Pair[] | null => {
  const [ourIds, theirIds] = [idsOf(ours), idsOf(theirs)];
  if (ourIds === null || theirIds === null || ourIds.join() === theirIds.join()) return null;
  const others = new Map(theirIds.map((id, index) => [id, theirs[index]]));
  const known = new Set(ourIds);
  return [
    ...ourIds.map((id, index) => ({ place: String(index), ours: ours[index], theirs: others.get(id) })),
    ...theirIds
      .filter((id) => !known.has(id))
      .map((id) => ({ place: id, ours: undefined, theirs: others.get(id) })),
  ];
};

const collectPairs = (pairs: readonly Pair[], at: string, found: Difference[]): void => {
  for (const { place, ours, theirs } of pairs) collect(ours, theirs, `${at}/${place}`, found);
  // Records in another order are the same.
  if (pairs.every(({ ours, theirs }) => ours !== undefined && theirs !== undefined))
    found.push({ at: `${at} (order)`, ours: "these records", theirs: "the same in another order" });
};

/** Null where a record has none, or two have the same. Token accounts and prints are known by their addresses. */
const idsOf = (values: readonly unknown[]): readonly string[] | null => {
  const ids = values.map((value) =>
    isMembers(value) ? (value["id"] ?? value["address"] ?? value["edition_address"]) : undefined,
  );
  return new Set(ids).size === ids.length && ids.every((id) => typeof id === "string") ? ids : null;
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
