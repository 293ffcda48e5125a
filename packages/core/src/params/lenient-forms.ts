import type { NamedParams } from "./map-params.ts";
import type { MethodParameter } from "@lamplight/contract";

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
