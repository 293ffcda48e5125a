import { isMembers } from "../read-json.ts";

/** The value a JSON pointer leads to; undefined where there is none. */
export const valueAt = (root: unknown, pointer: string): unknown => {
  let value = root;
  for (const part of partsOf(pointer)) {
    if (Array.isArray(value)) value = value[Number(part)] as unknown;
    else if (isMembers(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
};

const partsOf = (pointer: string): readonly string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
