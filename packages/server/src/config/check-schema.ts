import { nearestName } from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";

/** The part of JSON Schema that our generator writes for the configuration type. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly title?: string;
  readonly $schema?: string;
}

/** Keywords understood here; a test holds the generated schema to them, so that none is skipped in silence. */
export const understoodKeywords: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "pattern",
  "minLength",
  "minimum",
  "maximum",
  "$ref",
  "definitions",
  "description",
  "title",
  "$schema",
]);

export interface SchemaFault {
  /** Where, as `limits.bodyBytes` or `keys[2]`; empty for the whole. */
  readonly field: string;
  /** What is wrong, as the rest of a sentence that begins with the field. Never repeats a value: it may be a key. */
  readonly reason: string;
}

/** The first thing in `value` that `root` does not allow, or null. */
export const findSchemaFault = (root: Schema, value: unknown): SchemaFault | null =>
  checkValue(root, root, value, "");

const checkValue = (root: Schema, schema: Schema, value: unknown, field: string): SchemaFault | null => {
  if (schema.$ref !== undefined) return checkValue(root, resolve(root, schema.$ref), value, field);
  if (schema.type !== undefined && !hasType(schema.type, value)) {
    return { field, reason: `must be ${withArticle(schema.type)}, not ${withArticle(typeName(value))}` };
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return { field, reason: `must be one of ${schema.enum.join(", ")}` };
  }
  if (typeof value === "number") return checkNumber(schema, value, field);
  if (typeof value === "string") return checkString(schema, value, field);
  if (Array.isArray(value)) return checkItems(root, schema, value, field);
  return typeof value === "object" && value !== null
    ? checkMembers(root, schema, value as Record<string, unknown>, field)
    : null;
};

const checkNumber = (schema: Schema, value: number, field: string): SchemaFault | null => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value >= minimum && value <= maximum) return null;
  return { field, reason: `must be from ${minimum} to ${maximum}` };
};

const checkString = (schema: Schema, value: string, field: string): SchemaFault | null => {
  if (value.length < (schema.minLength ?? 0)) return { field, reason: "must not be empty" };
  if (schema.pattern === undefined || new RegExp(schema.pattern, "u").test(value)) return null;
  return { field, reason: `must match ${schema.pattern}` };
};

const checkItems = (
  root: Schema,
  schema: Schema,
  values: readonly unknown[],
  field: string,
): SchemaFault | null => {
  if (schema.items === undefined) return null;
  for (const [index, item] of values.entries()) {
    const fault = checkValue(root, schema.items, item, `${field}[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
};

const checkMembers = (
  root: Schema,
  schema: Schema,
  value: Record<string, unknown>,
  field: string,
): SchemaFault | null => {
  const known = new Map(Object.entries(schema.properties ?? {}));
  const inner = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { field: inner(missing), reason: "is missing" };
  for (const [name, member] of Object.entries(value)) {
    const memberSchema = known.get(name);
    if (memberSchema === undefined) {
      if (schema.additionalProperties !== false) continue;
      const nearest = nearestName(name, known.keys());
      const hint =
        nearest === undefined ? `; known are ${[...known.keys()].join(", ")}` : `; did you mean ${nearest}?`;
      return { field: inner(name.slice(0, 64)), reason: `is not a known setting${hint}` };
    }
    const fault = checkValue(root, memberSchema, member, inner(name));
    if (fault !== null) return fault;
  }
  return null;
};

const resolve = (root: Schema, reference: string): Schema => {
  const found = root.definitions?.[reference.replace("#/definitions/", "")];
  if (found === undefined) throw brokenInvariant(`the schema has no ${reference}`);
  return found;
};

const hasType = (type: NonNullable<Schema["type"]>, value: unknown): boolean =>
  type === typeName(value) || (type === "integer" && Number.isSafeInteger(value));

const typeName = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const withArticle = (name: string): string => {
  if (name === "null") return name;
  return `${/^[aeiou]/u.test(name) ? "an" : "a"} ${name}`;
};
