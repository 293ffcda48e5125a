import { type MethodName, matchesParameter } from "@lamplight/contract";
import type { ParameterSpec } from "./map-params.ts";

/**
 * Where a misplaced value belongs: the nearest other position whose parameter it fits, as a sentence; undefined when
 * it fits none. Widely copied samples are off by one, so that a shifted list is the usual mistake.
 */
export const findFittingPosition = (
  method: MethodName,
  specs: readonly ParameterSpec[],
  index: number,
  value: unknown,
): string | undefined => {
  const positional = specs.filter((spec) => !spec.byNameOnly);
  const fitting = positional
    .map((spec, position) => ({ name: spec.name, position, distance: Math.abs(position - index) }))
    .filter(({ name, position }) => position !== index && matchesParameter(method, name, value))
    .toSorted((a, b) => a.distance - b.distance || b.position - a.position)[0];
  return fitting === undefined ? undefined : `${fitting.name} is position ${fitting.position + 1}`;
};
