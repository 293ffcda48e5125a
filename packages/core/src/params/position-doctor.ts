import { findAddress } from "@lamplight/codecs";
import type { ParameterRules } from "./parameter-rules.ts";
import type { MethodParameter } from "@lamplight/contract";

/**
 * Where a misplaced value belongs: the nearest other position whose parameter it fits, as a sentence; undefined when
 * it fits none. Widely copied samples are off by one, so that a shifted list is the usual mistake.
 */
export const findFittingPosition = (
  { specs, fits }: ParameterRules,
  index: number,
  value: unknown,
): string | undefined => {
  const positional = specs.filter((spec) => !spec.byNameOnly);
  const fitting = positional
    .map((spec, position) => ({ spec, position, distance: Math.abs(position - index) }))
    .filter(({ spec, position }) => position !== index && fits(spec.name, value) && looksMeant(spec, value))
    .toSorted((a, b) => a.distance - b.distance || b.position - a.position)[0];
  return fitting === undefined ? undefined : `${fitting.spec.name} is position ${fitting.position + 1}`;
};

/** The schemas of texts and objects take much that no one would mean there: only what shows its kind counts. */
const looksMeant = (spec: MethodParameter, value: unknown): boolean => {
  if (typeof value === "string") {
    if (spec.type === "Address") return findAddress(value) !== null;
    return spec.type !== "string" || uriStart.test(value);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return spec.members.some((member) => Object.hasOwn(value, member));
  return true;
};

const uriStart = /^[a-z][a-z+.-]*:/i;
