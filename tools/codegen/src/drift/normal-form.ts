import { isUint64, type Schema } from "@lamplight/docs/build";

/**
 * The normal form of a schema: two schemas that allow the same have equal forms. References are followed, and choices
 * are flattened and sorted. Words that allow nothing more or less (titles, descriptions, bounds) are gone. Facts that a
 * type cannot express are gone too: whole numbers are numbers.
 */
export type NormalForm =
  | string
  | { readonly array: NormalForm }
  | { readonly tuple: readonly NormalForm[] }
  | { readonly members: { readonly [name: string]: NormalForm }; readonly isOpen: boolean }
  | { readonly choice: readonly NormalForm[] };

/** The schema behind a reference. */
export type Resolve = (reference: string) => Schema;

export const normalForm = (schema: Schema, resolve: Resolve): NormalForm => {
  const alternatives = alternativesOf(schema, resolve);
  const byText = new Map(alternatives.map((one) => [JSON.stringify(one), one]));
  const sorted = [...byText.keys()].toSorted().map((text) => byText.get(text)!);
  return sorted.length === 1 ? sorted[0]! : { choice: sorted };
};

const alternativesOf = (schema: Schema, resolve: Resolve): readonly NormalForm[] => {
  if (typeof schema["$ref"] === "string") return alternativesOf(resolve(schema["$ref"]), resolve);
  const forms = (schema["anyOf"] ?? schema["allOf"]) as readonly Schema[] | undefined;
  if (forms !== undefined) return forms.flatMap((one) => alternativesOf(one, resolve));
  if (isUint64(schema)) return ["bigint", "number"];
  const words = schema["enum"] as readonly unknown[] | undefined;
  if (words !== undefined) return words.map((word) => JSON.stringify(word));
  const { type } = schema as { type?: string | readonly string[] };
  if (Array.isArray(type))
    return type.flatMap((one) => alternativesOf({ ...schema, type: one as string }, resolve));
  return [plainForm(type as string | undefined, schema, resolve)];
};

const plainForm = (type: string | undefined, schema: Schema, resolve: Resolve): NormalForm => {
  switch (type) {
    case "integer":
      return "number";
    case "number":
      // The form of a bigint behind the type reader.
      return schema["properties"] === undefined ? "number" : "bigint";
    case "array":
      return arrayForm(schema, resolve);
    case "object":
      return objectForm(schema, resolve);
    default:
      return type ?? "any";
  }
};

const arrayForm = (schema: Schema, resolve: Resolve): NormalForm => {
  const {
    items = {},
    minItems,
    maxItems,
  } = schema as {
    items?: Schema | readonly Schema[];
    minItems?: number;
    maxItems?: number;
  };
  if (Array.isArray(items)) return { tuple: items.map((one) => normalForm(one as Schema, resolve)) };
  const item = normalForm(items as Schema, resolve);
  return minItems !== undefined && minItems === maxItems
    ? { tuple: Array.from({ length: minItems }, () => item) }
    : { array: item };
};

const objectForm = (schema: Schema, resolve: Resolve): NormalForm => {
  const properties = Object.entries((schema["properties"] ?? {}) as { [name: string]: Schema });
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const members = properties
    .map(([name, one]) => [required.has(name) ? name : `${name}?`, normalForm(one, resolve)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { members: Object.fromEntries(members), isOpen: schema["additionalProperties"] !== false };
};
