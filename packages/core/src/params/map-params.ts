import { LamplightError } from "@lamplight/errors";
import { findForeignName, foreignNames } from "./foreign-names.ts";
import { nearestName } from "./nearest-name.ts";
import type { MethodParameter } from "@lamplight/contract";

export type NamedParams = { [name: string]: unknown };

/**
 * Positions to names; null and undefined count as not given.
 *
 * @throws LamplightError `PARAM__COUNT`
 */
export const mapPositions = (
  method: string,
  specs: readonly MethodParameter[],
  positions: readonly unknown[],
) => {
  const positional = positionalOf(specs);
  if (positions.length > positional.length) {
    const fewest = positional.filter((spec) => spec.required).length;
    throw new LamplightError("PARAM__COUNT", {
      method,
      fewest,
      most: positional.length,
      got: positions.length,
    });
  }
  const named: NamedParams = {};
  for (let index = 0; index < positions.length; index += 1) {
    const value = positions[index];
    if (value !== null && value !== undefined) named[positional[index]!.name] = value;
  }
  return named;
};

/** Positional parameters come first, so mostly the list is its own answer. */
const positionalOf = (specs: readonly MethodParameter[]): readonly MethodParameter[] =>
  specs.at(-1)?.byNameOnly === true ? specs.filter((spec) => !spec.byNameOnly) : specs;

/**
 * Names and the aliases real clients send to the contract's names.
 *
 * @throws LamplightError `PARAM__UNKNOWN_NAME` with the nearest known one, or what to do about a name of other servers
 * @throws LamplightError `PARAM__INVALID` when one parameter comes under two names
 */
export const mapNames = (specs: readonly MethodParameter[], given: object): NamedParams => {
  const named: NamedParams = {};
  for (const name in given) {
    const value = (given as NamedParams)[name];
    const spec = specs.find((one) => isNameOf(one, name));
    if (spec === undefined) throw unknownName(name, specs);
    if (value === null || value === undefined) continue;
    if (Object.hasOwn(named, spec.name)) {
      const other = Object.keys(given).find((one) => one !== name && isNameOf(spec, one));
      throw new LamplightError("PARAM__INVALID", {
        parameter: name,
        position: null,
        reason: `is another name of ${other}; give only one of them`,
      });
    }
    named[spec.name] = value;
  }
  return named;
};

const isNameOf = (spec: MethodParameter, name: string): boolean =>
  spec.name === name || spec.aliases.includes(name);

const unknownName = (
  name: string,
  specs: readonly MethodParameter[],
): LamplightError<"PARAM__UNKNOWN_NAME"> => {
  // A member of an option object given next to it is meant in it, misspelt or not; a parameter's own name comes first.
  const shown = new Map([
    ...specs.flatMap((spec) => spec.members.map((member) => [member, `${spec.name}.${member}`] as const)),
    ...specs.flatMap((spec) => [spec.name, ...spec.aliases].map((known) => [known, known] as const)),
  ]);
  // The meaning of a name on other servers says more than which of ours looks alike.
  const known = shown.get(name) ?? findForeignName(name, specs);
  const hint = known === undefined ? foreignNames.get(name) : undefined;
  if (hint !== undefined) return new LamplightError("PARAM__UNKNOWN_NAME", { name, hint });
  const nearest = known ?? shown.get(nearestName(name, shown.keys()) ?? "");
  return new LamplightError("PARAM__UNKNOWN_NAME", { name, ...(nearest === undefined ? {} : { nearest }) });
};
