import { floatText } from "./float-text.ts";
import { JsonFloat, type JsonOf, JsonRaw, type JsonText, type JsonValue, storedJson } from "./json-text.ts";

/**
 * JSON text of a value: no whitespace, members in the order they were put in, `undefined` members left out,
 * every digit of a `bigint`, floats as Agave writes them, finished text spliced in as it is.
 *
 * `JSON.stringify` refuses `bigint` and writes floats differently; for strings it escapes exactly what Agave's
 * serialiser escapes, so those are left to it.
 */
export const writeJson: {
  (value: JsonValue): JsonText<unknown>;
  /** The value is of a type of the contract: the compiler compares the members. */
  <Value>(value: JsonOf<Value>): JsonText<Value>;
} = (value: JsonValue) => storedJson(writeValue(value));

const writeValue = (value: JsonValue): string => {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    case "bigint":
      return value.toString();
    case "boolean":
      return value ? "true" : "false";
    default:
      return writeObject(value);
  }
};

const writeObject = (value: Exclude<JsonValue, string | number | bigint | boolean>): string => {
  if (value === null) return "null";
  if (value instanceof JsonRaw) return value.text;
  if (value instanceof JsonFloat) return floatText(value.value);
  if (isList(value)) return writeList(value);
  let text = "";
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === "" ? "{" : ","}${nameText(name)}:${writeValue(member)}`;
  }
  return text === "" ? "{}" : `${text}}`;
};

/** Nothing in it that JSON escapes. Asking is cheaper than a call of the engine's serialiser, which most texts need not. */
const plain = /^[ !#-[\]-~]*$/;
/** Longer texts are left to the serialiser at once. */
const PLAIN_CHARS_MAX = 64;

const stringText = (value: string): string =>
  value.length <= PLAIN_CHARS_MAX && plain.test(value) ? `"${value}"` : JSON.stringify(value);

/** Member names are nearly always our own, and few. Foreign documents bring any: both bounds together keep 128 kB. */
const names = new Map<string, string>();
const NAMES_MAX = 2000;
const NAME_CHARS_MAX = 64;

const nameText = (name: string): string => {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (name.length <= NAME_CHARS_MAX && names.size < NAMES_MAX) names.set(name, text);
  return text;
};

/** `Array.isArray` does not narrow a readonly array. */
const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value);

const writeList = (list: readonly JsonValue[]): string => {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) {
    text += (index === 0 ? "" : ",") + writeValue(list[index] as JsonValue);
  }
  return `${text}]`;
};
