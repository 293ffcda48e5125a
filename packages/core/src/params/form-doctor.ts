import { findForeignName } from "./foreign-names.ts";
import type { ParameterRules } from "./parameter-rules.ts";
import type { MethodParameter } from "@lamplight/contract";

/** Longest text of a caller that a hint repeats. */
const REPEATED_CHARS_MAX = 48;

/**
 * Guesses what the caller meant by a value of the wrong form for `spec`. It knows names within an array or within another
 * parameter, a bare text for an option object or a pair, and one text within brackets. Undefined where nothing suggests it.
 */
export const findMeantForm = (
  rules: ParameterRules,
  spec: MethodParameter,
  value: unknown,
  byPosition: boolean,
): string | undefined => {
  if (typeof value === "string") return wrapText(rules, spec, value);
  if (Array.isArray(value))
    return value.length === 1 && typeof value[0] === "string" && spec.type !== "GroupingPair"
      ? "give the text itself, without brackets"
      : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (spec.type === "GroupingPair") return pairForm;
  const held = findHeldName(rules.specs, spec, value);
  if (held === undefined) return undefined;
  if (!byPosition)
    return held === spec.name
      ? `give the value of ${held} itself, without an object around it`
      : `${held} is a parameter by itself: give it next to ${spec.name}`;
  return spec === rules.specs[0]
    ? "pass the object itself as params, without the array around it"
    : "give either positions or names: put all parameters into one object, and pass that as params";
};

const pairForm = 'write ["collection", "<address>"]';

const wrapText = ({ fits }: ParameterRules, spec: MethodParameter, text: string): string | undefined => {
  if (spec.type === "GroupingPair") return pairForm;
  if (text.length > REPEATED_CHARS_MAX) return undefined;
  const member = spec.members.find((one) => fits(spec.name, { [one]: text }));
  return member === undefined ? undefined : `write ${JSON.stringify({ [member]: text })}`;
};

/** The first parameter that an object names, unless it has a member of the parameter in whose place it stands. */
const findHeldName = (
  specs: readonly MethodParameter[],
  spec: MethodParameter,
  value: object,
): string | undefined => {
  const names = Object.keys(value).slice(0, specs.length);
  if (names.some((name) => spec.members.includes(name))) return undefined;
  return names
    .map((name) => (isParameter(name, specs) ? name : findForeignName(name, specs)))
    .find((name) => name !== undefined);
};

const isParameter = (name: string, specs: readonly MethodParameter[]): boolean =>
  specs.some((spec) => spec.name === name || spec.aliases.includes(name));
