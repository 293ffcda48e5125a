import type { ValidationIssue } from "@lamplight/contract";
import { accountMethods, LamplightError } from "@lamplight/errors";
import { describeIssue, valueAt } from "./describe-issue.ts";
import { dataSliceMembers, dropNullMembers, readWholeNumbers, unfoldAccountConfig } from "./lenient-forms.ts";
import { findMeantForm } from "./form-doctor.ts";
import { type Profile, readParams, refusesUnknownMembers } from "../profile/profile.ts";
import { mapNames, mapPositions, type NamedParams } from "./map-params.ts";
import type { ParameterRules } from "./parameter-rules.ts";
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
  const raw = readParams(profile, received);
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
