import { type MethodShape, methodShapes } from "../generated/methods.ts";
import type { MethodName } from "../generated/types.ts";

export type WireParams = readonly unknown[] | { readonly [name: string]: unknown };

/** Positions or one object of names, as they were given: what the caller wrote is what a refusal talks about. */
export const toWireParams = (method: MethodName, given: readonly unknown[]): WireParams => {
  const [only] = given;
  return given.length === 1 && isNamed(methodShapes[method], only) ? only : trimPositions(given);
};

const isNamed = (shape: MethodShape, only: unknown): only is { readonly [name: string]: unknown } => {
  if (typeof only !== "object" || only === null || Array.isArray(only)) return false;
  if (!shape.isObjectFirst) return true;
  const names = Object.keys(only);
  return names.length > 0 && names.every((name) => shape.names.includes(name));
};

/** Unused positions are null, and left out at the end. */
const trimPositions = (positions: readonly unknown[]): readonly unknown[] => {
  const last = positions.findLastIndex((value) => value !== undefined && value !== null);
  return positions.slice(0, last + 1).map((value) => value ?? null);
};
