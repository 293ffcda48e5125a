import type { NamedParams } from "./map-params.ts";

// Forms beside the documented ones that Agave's parser takes, so that clients written against it work unchanged.

/** Members that hold one of a few words; Agave also takes `{"<word>": null}`. */
const wordMembers = ["commitment", "encoding", "filter"] as const;

/** Config of an account method in its documented form: null members dropped, word and list forms unfolded. */
export const unfoldAccountConfig = (method: string, params: NamedParams): NamedParams => {
  const { config } = params;
  if (method === "getTokenSupply" && Array.isArray(config) && config.length === 1)
    return { ...params, config: { commitment: unfoldWord(config[0]) } };
  if (!isPlainObject(config) || !hasLenientForm(config)) return params;
  const unfolded = withoutNulls(config);
  for (const member of wordMembers)
    if (Object.hasOwn(unfolded, member)) unfolded[member] = unfoldWord(unfolded[member]);
  if (Array.isArray(unfolded["dataSlice"]) && unfolded["dataSlice"].length === 2)
    unfolded["dataSlice"] = { offset: unfolded["dataSlice"][0], length: unfolded["dataSlice"][1] };
  return { ...params, config: unfolded };
};

/** Whether anything in it is null, or a list or an object where a word is meant: nearly never. */
const hasLenientForm = (config: NamedParams): boolean => {
  for (const name in config) {
    const value = config[name];
    if (
      value === null ||
      value === undefined ||
      (typeof value === "object" && (name !== "dataSlice" || Array.isArray(value)))
    )
      return true;
  }
  return false;
};

/** Option objects of the asset methods: a null member is not used. */
export const dropNullMembers = (params: NamedParams, ...names: readonly string[]): NamedParams => {
  const dropped = { ...params };
  for (const name of names) {
    const value = dropped[name];
    if (isPlainObject(value)) dropped[name] = withoutNulls(value);
  }
  return dropped;
};

const unfoldWord = (value: unknown): unknown => {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value);
  return members.length === 1 && members[0]![1] === null ? members[0]![0] : value;
};

/** A copy; a plain one where there is nothing to drop, which is nearly always. */
const withoutNulls = (members: NamedParams): NamedParams => {
  const kept = { ...members };
  for (const name of Object.keys(kept))
    if (kept[name] === null || kept[name] === undefined) delete kept[name];
  return kept;
};

const isPlainObject = (value: unknown): value is NamedParams =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
