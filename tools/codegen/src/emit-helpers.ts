import { type Contract, referenceOf, type Schema } from "@lamplight/docs/build";

/** `getAsset` gives `GetAsset`. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const schemaKeywords = ["items", "additionalProperties", "not"] as const;
const schemaListKeywords = ["anyOf", "allOf", "oneOf"] as const;

/** Replaces a schema and every schema inside what came out by what `change` answers, parents first. */
export const mapSchemas = (schema: Schema, change: (schema: Schema) => Schema): Schema => {
  const changed: Schema = { ...change(schema) };
  for (const keyword of schemaKeywords)
    if (isSchema(changed[keyword])) changed[keyword] = mapSchemas(changed[keyword], change);
  for (const keyword of schemaListKeywords)
    if (Array.isArray(changed[keyword]))
      changed[keyword] = (changed[keyword] as Schema[]).map((one) => mapSchemas(one, change));
  if (isSchema(changed["properties"]))
    changed["properties"] = Object.fromEntries(
      Object.entries(changed["properties"]).map(([name, one]) => [name, mapSchemas(one as Schema, change)]),
    );
  return changed;
};

/** The named schemas of a contract. A member that only refers to one of them has its description. */
export const describedSchemas = ({
  components: { schemas },
}: Contract): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries(schemas).map(([name, schema]) => {
    if (!isSchema(schema["properties"])) return [name, schema];
    const members = Object.entries(schema["properties"] as { [member: string]: Schema });
    const described = members.map(([member, one]) => {
      const reference = referenceOf(one);
      return [member, reference === null ? one : { description: schemas[reference]!["description"], ...one }];
    });
    return [name, { ...schema, properties: Object.fromEntries(described) as Schema }];
  });

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const banner =
  "// Generated from openrpc.json by tools/codegen. Do not edit: run `npx turbo run generate`.\n";
