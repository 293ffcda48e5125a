import { floatText } from "./float-text.ts";
import { JsonFloat, JsonRaw, type JsonValue } from "./json-text.ts";

/**
 * JSON text of a value: no whitespace, members in the order they were put in, `undefined` members left out,
 * every digit of a `bigint`, floats as Agave writes them, finished text spliced in as it is.
 *
 * `JSON.stringify` refuses `bigint` and writes floats differently; for strings it escapes exactly what Agave's
 * serialiser escapes, so those are left to it.
 */
export const writeJson = (value: JsonValue): string => {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
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
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:${writeJson(member)}`;
  }
  return text === "" ? "{}" : `${text}}`;
};

/** `Array.isArray` does not narrow a readonly array. */
const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value);

const writeList = (list: readonly JsonValue[]): string => {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) {
    text += (index === 0 ? "" : ",") + writeJson(list[index] as JsonValue);
  }
  return `${text}]`;
};
