import { isKey } from "../json/stringify-exact.ts";
import type { MethodShape } from "./method-shape.ts";

/** Member `params` of a JSON-RPC request. */
export type WireParams = readonly unknown[] | { readonly [name: string]: unknown };

/** Positions or one object of names, as they were given, so that an error names what the caller wrote. */
export const toWireParams = (shape: MethodShape, given: readonly unknown[]): WireParams => {
  const positions = trimPositions(given);
  const [only] = positions;
  return positions.length === 1 && isNamed(shape, only) ? only : positions;
};

const isNamed = (shape: MethodShape, only: unknown): only is { readonly [name: string]: unknown } => {
  if (typeof only !== "object" || only === null || Array.isArray(only) || isKey(only)) return false;
  const { names } = shape;
  const given = Object.keys(only);
  return names === undefined || (given.length > 0 && given.every((name) => names.includes(name)));
};

/** Unused positions are null, and left out at the end. */
const trimPositions = (positions: readonly unknown[]): readonly unknown[] => {
  const last = positions.findLastIndex((value) => value !== undefined && value !== null);
  return positions.slice(0, last + 1).map((value) => value ?? null);
};
