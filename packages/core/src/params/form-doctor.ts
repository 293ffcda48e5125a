import { findForeignName } from "./foreign-names.ts";
import type { ParameterRules } from "./parameter-rules.ts";
import type { MethodParameter } from "@lamplight/contract";

/** Longest text of a caller that a hint repeats. */
const REPEATED_CHARS_MAX = 48;

/**
 * Guesses what the caller meant by a value of the wrong form for `spec`. It knows names within an array, a bare text
 * for an option object or a pair, and one text within brackets. Undefined where nothing suggests it.
 */
export const findMeantForm = (
  rules: ParameterRules,
  spec: MethodParameter,
  value: unknown,
): string | undefined => {
  if (typeof value === "string") return wrapText(rules, spec, value);
  if (Array.isArray(value))
    return value.length === 1 && typeof value[0] === "string" && spec.type !== "GroupingPair"
      ? "give the text itself, without brackets"
      : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (spec.type === "GroupingPair") return pairForm;
  if (!holdsNames(rules.specs, spec, value)) return undefined;
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

/** Whether an object names parameters, and no member of the parameter in whose place it stands. */
const holdsNames = (specs: readonly MethodParameter[], spec: MethodParameter, value: object): boolean => {
  const names = Object.keys(value).slice(0, specs.length);
  return (
    names.some((name) => isParameter(name, specs) || findForeignName(name, specs) !== undefined) &&
    !names.some((name) => spec.members.includes(name))
  );
};

const isParameter = (name: string, specs: readonly MethodParameter[]): boolean =>
  specs.some((spec) => spec.name === name || spec.aliases.includes(name));
