import { isMembers, type Members, membersOf } from "../read-json.ts";
import { exactNumber, sameNumber, shown } from "./exact-value.ts";

/** Differences that a comparison may overlook. */
export interface Leniency {
  /** Pointers that the specification does not name: compared only where our answer has them too. */
  readonly outsideSpec: ReadonlySet<string>;
  /** Pointers whose expected value is a known slip of the reference. */
  readonly disputed: ReadonlySet<string>;
  /** Whether the call asked for `token_info`; one reference adds it always, we only then. */
  readonly showsFungible: boolean;
  /** Owner the call searched for; one reference writes it into fungibles that it only holds some of. */
  readonly askedOwner: string | null;
}

export const strict: Leniency = {
  outsideSpec: new Set(),
  disputed: new Set(),
  showsFungible: false,
  askedOwner: null,
};

/** Members we add to an answer and document as extensions; the specification's own members are never extra. */
const extensions: readonly RegExp[] = [
  /\/(mint_extensions|plugins|external_plugins|unknown_plugins|unknown_external_plugins|mpl_core_info)$/,
  /\/(inscription|collection_metadata|last_indexed_slot|cursor|nativeBalance)$/,
  /\/compression\/(collection_hash|asset_data_hash|flags)$/,
  /\/ownership\/non_transferable$/,
  /\/grouping\/\d+\/verified$/,
];

/** Rounding of basis points times 0.0001. */
const PERCENT_TOLERANCE = 1e-12;

/**
 * Differences between our answer and a recorded one: integers are exact, and order of arrays counts except among
 * `files` behind the first. Our answer may only have what is expected or a documented extension.
 */
export const compareAnswer = (
  actual: unknown,
  expected: unknown,
  leniency: Leniency = strict,
  at = "",
): readonly string[] => {
  if (leniency.disputed.has(at) || isOverlooked(actual, expected, leniency, at)) return [];
  const expectedNumber = exactNumber(expected);
  if (expectedNumber !== null) {
    return sameAmount(exactNumber(actual), expectedNumber, at) ? [] : [differs(at, expected, actual)];
  }
  if (Array.isArray(expected)) return compareLists(actual, expected, leniency, at);
  if (isMembers(expected)) return compareMembers(actual, expected, leniency, at);
  return actual === expected ? [] : [differs(at, expected, actual)];
};

/** Where the references differ from each other, or from the decisions on members that every answer has. */
const isOverlooked = (actual: unknown, expected: unknown, leniency: Leniency, at: string): boolean => {
  if (leniency.outsideSpec.has(at) && (actual === undefined || at.endsWith("/collection_metadata")))
    return true;
  // One reference writes `supply: null` where the other leaves it out.
  if (at.endsWith("/supply") && expected === null) return actual === undefined;
  if (at.endsWith("/token_info") && !leniency.showsFungible) return actual === undefined;
  // No authority is an empty list, where the references write one without an address.
  if (at.endsWith("/authorities")) return isEmptyList(actual) && isListOfNobody(expected);
  // The unknown owner of a fungible is empty text.
  if (at.endsWith("/ownership/owner")) return actual === "" && expected === leniency.askedOwner;
  return false;
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const isListOfNobody = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => membersOf(item)["address"] === "");

const sameAmount = (
  actual: ReturnType<typeof exactNumber>,
  expected: NonNullable<ReturnType<typeof exactNumber>>,
  at: string,
): boolean => {
  if (actual === null) return false;
  if (at.endsWith("/percent")) return Math.abs(Number(actual) - Number(expected)) <= PERCENT_TOLERANCE;
  return sameNumber(actual, expected);
};

const compareLists = (
  actual: unknown,
  expected: readonly unknown[],
  leniency: Leniency,
  at: string,
): readonly string[] => {
  if (!Array.isArray(actual)) return [differs(at, expected, actual)];
  if (actual.length !== expected.length) {
    return [
      `${at}: expected ${expected.length} items ${shown(expected)}, got ${actual.length}: ${shown(actual)}`,
    ];
  }
  const ordered = at.endsWith("/files") ? alignFiles(actual, expected) : actual;
  return expected.flatMap((item, index) => compareAnswer(ordered[index], item, leniency, `${at}/${index}`));
};

/** The image file comes first; the order of the others is not defined. */
const alignFiles = (actual: readonly unknown[], expected: readonly unknown[]): readonly unknown[] => {
  const rest = actual.slice(1);
  const aligned = expected.slice(1).map((file) => {
    const index = rest.findIndex((candidate) => compareAnswer(candidate, file).length === 0);
    return index < 0 ? undefined : rest.splice(index, 1)[0];
  });
  return [actual[0], ...aligned];
};

const compareMembers = (
  actual: unknown,
  expected: Members,
  leniency: Leniency,
  at: string,
): readonly string[] => {
  if (!isMembers(actual)) return [differs(at, expected, actual)];
  const differences = Object.entries(expected).flatMap(([name, member]) =>
    compareAnswer(actual[name], member, leniency, `${at}/${name}`),
  );
  for (const name of Object.keys(membersOf(actual))) {
    const pointer = `${at}/${name}`;
    if (Object.hasOwn(expected, name) || extensions.some((extension) => extension.test(pointer))) continue;
    differences.push(`${pointer}: not expected, got ${shown(actual[name])}`);
  }
  return differences;
};

const differs = (at: string, expected: unknown, actual: unknown): string =>
  `${at === "" ? "/" : at}: expected ${shown(expected)}, got ${shown(actual)}`;
