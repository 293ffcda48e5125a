import type { NamedParams } from "./parameter-rules.ts";
import type { MethodParameter } from "@lamplight/contract";
import { InexactNumber } from "../json/parse-exact.ts";

// Forms in addition to the documented ones that Agave's parser takes, so that clients written against it work unchanged.

/** Members that hold one of a few words; Agave also takes `{"<word>": null}`. */
const wordMembers = ["commitment", "encoding", "filter"] as const;

/** Members of the one object that is nested in a config. */
export const dataSliceMembers: readonly string[] = ["offset", "length"];

/**
 * Config of an account method in its documented form: null members dropped, word and list forms unfolded.
 *
 * @param known - members of the config
 * @param keepsUnknown - true: unknown members stay, to be refused; false: they are dropped, as Agave ignores them
 */
export const unfoldAccountConfig = (
  method: string,
  params: NamedParams,
  known: readonly string[],
  keepsUnknown: boolean,
): NamedParams => {
  const { config } = params;
  if (method === "getTokenSupply" && Array.isArray(config) && config.length === 1)
    return { ...params, config: { commitment: unfoldWord(config[0]) } };
  if (!isPlainObject(config)) return params;
  const kept = keepsUnknown ? config : onlyKnown(config, known);
  const unfolded = hasLenientForm(kept) ? unfoldForms(kept, known) : kept;
  const slice = unfolded["dataSlice"];
  const keptSlice = keepsUnknown || !isPlainObject(slice) ? slice : onlyKnown(slice, dataSliceMembers);
  if (keptSlice !== slice) return { ...params, config: { ...unfolded, dataSlice: keptSlice } };
  return unfolded === config ? params : { ...params, config: unfolded };
};

const unfoldForms = (config: NamedParams, known: readonly string[]): NamedParams => {
  const unfolded = withoutNulls(config, known);
  for (const member of wordMembers)
    if (Object.hasOwn(unfolded, member)) unfolded[member] = unfoldWord(unfolded[member]);
  if (Array.isArray(unfolded["dataSlice"]) && unfolded["dataSlice"].length === 2)
    unfolded["dataSlice"] = { offset: unfolded["dataSlice"][0], length: unfolded["dataSlice"][1] };
  return unfolded;
};

/** The object itself where nothing in it is unknown, which is nearly always. */
const onlyKnown = (members: NamedParams, known: readonly string[]): NamedParams => {
  for (const name in members)
    if (!known.includes(name))
      return Object.fromEntries(
        known.filter((one) => Object.hasOwn(members, one)).map((one) => [one, members[one]]),
      );
  return members;
};

/** Whether a member is null, or a list or an object where a word is meant: nearly never. */
const hasLenientForm = (config: NamedParams): boolean => {
  for (const name in config) {
    const value = config[name];
    if (value === null || value === undefined) return true;
    if (typeof value === "object" && (name === "dataSlice" ? Array.isArray(value) : isWordMember(name)))
      return true;
  }
  return false;
};

const isWordMember = (name: string): boolean => (wordMembers as readonly string[]).includes(name);

/** Option objects of an asset method: a null member is not used. */
export const dropNullMembers = (specs: readonly MethodParameter[], params: NamedParams): NamedParams => {
  const dropped = { ...params };
  for (const { name, members } of specs) {
    if (members.length === 0) continue;
    const value = dropped[name];
    if (isPlainObject(value) && hasNull(value)) dropped[name] = withoutNulls(value, members);
  }
  return dropped;
};

const unfoldWord = (value: unknown): unknown => {
  if (!isPlainObject(value)) return value;
  let word: string | undefined;
  for (const name in value) {
    if (word !== undefined || value[name] !== null) return value;
    word = name;
  }
  return word ?? value;
};

/** Object literals of a caller may be as large as a body: nothing is copied where there is nothing to drop. */
const hasNull = (members: NamedParams): boolean => {
  for (const name in members) if (members[name] === null || members[name] === undefined) return true;
  return false;
};

/**
 * A copy of what is not null; an unknown name stays, to be refused. Members are never deleted: that is slow where a
 * caller sends a hundred thousand.
 */
const withoutNulls = (members: NamedParams, known: readonly string[]): NamedParams =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => (value !== null && value !== undefined) || !known.includes(name),
    ),
  );

const isPlainObject = (value: unknown): value is NamedParams =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Digits and powers of ten beyond these are no parameter of ours: the largest is a u64, of 20 digits. */
const DIGITS_MAX = 40;
const decimal = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Solana's own servers refuse `1.0` and `1e2` here. */
const strictName = "minContextSlot";

/** Integer parameters as JSON Schema means them: `1.0` and `1e2` are whole numbers. Others stay, to be refused. */
export const readWholeNumbers = (specs: readonly MethodParameter[], named: NamedParams): NamedParams => {
  for (const name in named) {
    const value = named[name];
    if (!(value instanceof InexactNumber) || name === strictName) continue;
    if (specs.find((spec) => spec.name === name)?.type !== "integer") continue;
    const whole = wholeNumber(value.text);
    if (whole !== null) named[name] = whole;
  }
  return named;
};

/** Exact value of a JSON number token; null when it is not whole, or out of all bounds. */
const wholeNumber = (text: string): number | bigint | null => {
  const parts = decimal.exec(text);
  if (parts === null) return null;
  const [, sign, integer = "", fraction = "", exponent = "0"] = parts;
  const digits = `${integer}${fraction}`.replace(/^0+(?=\d)/, "");
  const shift = digits === "0" ? 0 : Number(exponent) - fraction.length;
  if (digits.length + shift > DIGITS_MAX) return null;
  const end = digits.length + Math.min(shift, 0);
  if (end < 1 || !/^0*$/.test(digits.slice(end))) return null;
  const value = BigInt(`${sign}${digits.slice(0, end)}`) * 10n ** BigInt(Math.max(shift, 0));
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};
