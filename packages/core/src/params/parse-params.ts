import { decodeAddress } from "@lamplight/codecs";
import type { MethodParameter, ValidationIssue } from "@lamplight/contract";
import { accountMethods, isLamplightError, LamplightError } from "@lamplight/errors";
import type { AddressBytes } from "../domain/address.ts";
import { describeIssue, valueAt } from "./describe-issue.ts";
import { dataSliceMembers, dropNullMembers, readWholeNumbers, unfoldAccountConfig } from "./lenient-forms.ts";
import { findMeantForm } from "./form-doctor.ts";
import { type Profile, readNullParams, refusesUnknownMembers } from "../profile/profile.ts";
import { findForeignName, foreignNames } from "./foreign-names.ts";
import { nearestName } from "./nearest-name.ts";
import type { NamedParams, ParameterRules } from "./parameter-rules.ts";
import { findFittingPosition } from "./position-doctor.ts";

/**
 * The named, checked parameters of a call given by position or by name.
 *
 * @param profile - decides whether null is refused, and an unknown member in the config of an account method
 * @throws LamplightError `PARAM__INVALID` naming the parameter (and its position in a positional call), with the
 *   nearest valid alternative; `PARAM__COUNT`; `PARAM__UNKNOWN_NAME`; `REQUEST__INVALID` for params of another kind
 */
export const parseParams = (rules: ParameterRules, received: unknown, profile: Profile): NamedParams => {
  const { method, specs } = rules;
  const raw = received === null ? readNullParams(profile) : received;
  const positional = raw === undefined || Array.isArray(raw);
  if (!positional && typeof raw !== "object")
    throw new LamplightError("REQUEST__INVALID", { reason: "params must be an array or an object" });
  const mapped = positional
    ? mapPositions(method, specs, (raw ?? []) as unknown[])
    : mapNames(specs, raw as object);
  const named = Object.values(mapped).some(mayHaveOtherForm)
    ? documentedForm(rules, mapped, profile)
    : mapped;
  const issues = rules.check(named);
  if (issues.length > 0) throw refusal(rules, issues, named, positional);
  return named;
};

/**
 * Positions to names; null and undefined count as not given.
 *
 * @throws LamplightError `PARAM__COUNT`
 */
const mapPositions = (method: string, specs: readonly MethodParameter[], positions: readonly unknown[]) => {
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
const mapNames = (specs: readonly MethodParameter[], given: object): NamedParams => {
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

/** Texts, booleans and numbers are received in one form. Options and `1.0`, which the parser gives as an object, are not. */
const mayHaveOtherForm = (value: unknown): boolean => typeof value === "object";

const documentedForm = (
  { method, specs }: ParameterRules,
  mapped: NamedParams,
  profile: Profile,
): NamedParams =>
  accountMethods.has(method)
    ? unfoldAccountConfig(method, mapped, specs.at(-1)!.members, refusesUnknownMembers(profile))
    : dropNullMembers(specs, readWholeNumbers(specs, mapped));

/** Rules that judge a value as a whole, so that it may simply be in the wrong place. */
const wholeValueKeywords: ReadonlySet<string> = new Set(["type", "enum", "anyOf", "uint64"]);

/** The first problem in the contract's order of parameters. */
const refusal = (
  rules: ParameterRules,
  issues: readonly ValidationIssue[],
  named: NamedParams,
  positional: boolean,
): LamplightError<"PARAM__INVALID"> => {
  const { specs } = rules;
  const rank = (issue: ValidationIssue): number =>
    specs.findIndex((spec) => spec.name === parameterOf(issue));
  const first = Math.min(...issues.map(rank));
  const ofFirst = issues.filter((one) => rank(one) === first);
  const spec = specs[first];
  const general = mostTelling(ofFirst);
  const members = general.path.at(-1) === "dataSlice" ? dataSliceMembers : (spec?.members ?? []);
  const issue = preferUnknownMember(general, named, members);
  const byPosition = positional && spec !== undefined && !spec.byNameOnly;
  const { reason, hint } = describeIssue(issue, named, members);
  const misplaced = byPosition && issue.path.length === 1 && wholeValueKeywords.has(issue.keyword);
  const isWhole = spec !== undefined && issue.path.length === 1;
  const value = isWhole ? named[spec.name] : undefined;
  const place = misplaced ? findFittingPosition(rules, first, value) : undefined;
  const form = isWhole ? findMeantForm(rules, spec, value, positional) : undefined;
  // A text fits wherever an address does, so its form says more there than its place.
  const alternative = hint ?? (typeof value === "string" ? (form ?? place) : (place ?? form));
  return new LamplightError("PARAM__INVALID", {
    parameter: pathText(issue),
    position: byPosition ? first + 1 : null,
    reason,
    ...(alternative === undefined ? {} : { hint: alternative }),
  });
};

/** The verdict on a choice of forms says more than what each form missed, but for a member that is of the wrong kind. */
const mostTelling = (issues: readonly ValidationIssue[]): ValidationIssue => {
  const verdict = issues.find((one) => one.keyword === "anyOf");
  if (verdict === undefined) return issues[0]!;
  return issues.find((one) => one.keyword === "type" && one.path.length > verdict.path.length) ?? verdict;
};

/** When a member is missing and another is unknown, the unknown one is probably a misspelling. */
const preferUnknownMember = (
  issue: ValidationIssue,
  named: NamedParams,
  members: readonly string[],
): ValidationIssue => {
  if (issue.keyword !== "required" || issue.path.length === 0) return issue;
  for (const name in valueAt(named, issue.path) as object)
    if (!members.includes(name))
      return { ...issue, keyword: "additionalProperties", params: { additionalProperty: name } };
  return issue;
};

/** A missing parameter is reported on the whole object, with its name in addition. */
const parameterOf = (issue: ValidationIssue): string => fullPath(issue)[0] ?? "";

const pathText = (issue: ValidationIssue): string => fullPath(issue).join(".");

const fullPath = (issue: ValidationIssue): readonly string[] => {
  const missing = issue.params["missingProperty"];
  return issue.keyword === "required" && typeof missing === "string" ? [...issue.path, missing] : issue.path;
};

/**
 * Address of one of the four account methods; refusals read as Agave's clients expect.
 *
 * @throws LamplightError `PARAM__ADDRESS`
 */
export const parseAccountAddress = (parameter: string, text: string): AddressBytes => {
  try {
    return decodeAddress(text);
  } catch (cause) {
    if (!isLamplightError(cause, "CODEC__ADDRESS")) throw cause;
    throw new LamplightError("PARAM__ADDRESS", { parameter, fault: cause.context.fault }, { cause });
  }
};

/**
 * Address in a call of an asset method.
 *
 * @throws LamplightError `PARAM__INVALID` naming the parameter
 */
export const parseAssetAddress = (parameter: string, text: string): AddressBytes => {
  try {
    return decodeAddress(text);
  } catch (cause) {
    if (!isLamplightError(cause, "CODEC__ADDRESS")) throw cause;
    const reason =
      cause.context.fault === "Invalid"
        ? "is not base58 (letters and digits without 0, O, I and l)"
        : "is not the base58 text of 32 bytes";
    throw new LamplightError("PARAM__INVALID", { parameter, position: null, reason }, { cause });
  }
};
