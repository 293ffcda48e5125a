import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Values that go deeper, or in a circle, are left to Vitest. */
const DEPTH_MAX = 100;

/** Whether a value consists of primitive values, arrays, bytes and objects without a class. */
const isPlain = (value: unknown, depth = 0): boolean => {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (ArrayBuffer.isView(value)) return true;
  if (depth === DEPTH_MAX) return false;
  if (Array.isArray(value)) return value.every((member) => isPlain(member, depth + 1));
  const isOfNoClass = Object.getPrototypeOf(value) === Object.prototype;
  return isOfNoClass && Object.values(value).every((member) => isPlain(member, depth + 1));
};

/**
 * Plain values that Node finds equal are equal for each matcher too, since none is stricter. All others are compared by
 * Vitest, which takes 30 times as long for a large array.
 */
const areEqual = (one: unknown, other: unknown): true | undefined =>
  typeof one === "object" && isPlain(one) && isDeepStrictEqual(one, other) ? true : undefined;

// Vitest runs this file before each test file, and keeps what was added in a process that files share.
const added = globalThis as { hasQuickEquality?: true };
if (added.hasQuickEquality !== true) {
  expect.addEqualityTesters([areEqual]);
  added.hasQuickEquality = true;
}
