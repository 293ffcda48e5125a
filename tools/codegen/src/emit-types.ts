import { compile, type JSONSchema } from "json-schema-to-typescript";
import {
  type Contract,
  type ContractMethod,
  parametersOf,
  isUint64,
  referenceOf,
  type Schema,
  withoutNull,
} from "@lamplight/docs/build";
import { banner, describedSchemas, mapSchemas, pascalCase } from "./emit-helpers.ts";

/**
 * One TypeScript declaration per named schema, and one type of named parameters per method.
 *
 * @param base - a contract whose types are another module's: those of schemas that both have come from there
 */
export const emitTypes = async (contract: Contract, base: BaseContract | null): Promise<string> => {
  const definitions: { [name: string]: Schema } = {};
  const shared = base === null ? new Set<string>() : sharedSchemas(contract, base.contract);
  for (const [name, schema] of describedSchemas(contract))
    if (!shared.has(name)) definitions[name] = withTypeNames(schema, plainWords);
  for (const method of contract.methods) {
    definitions[`${pascalCase(method.name)}Params`] = withTypeNames(paramsSchema(method), plainWords);
    const resultName = `${pascalCase(method.name)}Result`;
    if (definitions[resultName] === undefined && method.result.schema["$ref"] === undefined)
      definitions[resultName] = withTypeNames({ title: resultName, ...method.result.schema }, plainWords);
  }
  const names = [...shared].toSorted().join(", ");
  const passedOn =
    base === null
      ? ""
      : `import type { ${names} } from "${base.module}";\nexport type { ${names} } from "${base.module}";\n\n`;
  return banner + passedOn + (await declareTypes(definitions)) + methodTypes(contract);
};

/** A contract, and the module that exports its types. */
export interface BaseContract {
  readonly contract: Contract;
  readonly module: string;
}

/** Names of schemas that are the same in both contracts, with all that they refer to. */
const sharedSchemas = (contract: Contract, base: Contract): ReadonlySet<string> => {
  const own = contract.components.schemas;
  const others = base.components.schemas;
  const shared = new Set(
    Object.keys(own).filter((name) => JSON.stringify(own[name]) === JSON.stringify(others[name])),
  );
  for (let before = -1; before !== shared.size;) {
    before = shared.size;
    for (const name of shared) if (refersBeyond(JSON.stringify(own[name]), shared)) shared.delete(name);
  }
  return shared;
};

const refersBeyond = (schema: string, names: ReadonlySet<string>): boolean =>
  [...schema.matchAll(/"#\/components\/schemas\/(\w+)"/gu)].some(([, name]) => !names.has(name!));

/** TypeScript declarations of schemas by name. */
export const declareTypes = async (definitions: { readonly [name: string]: Schema }): Promise<string> => {
  const text = await compile(
    { $defs: definitions, title: "Unused", type: "object" } as JSONSchema,
    "Unused",
    {
      additionalProperties: false,
      unreachableDefinitions: true,
      bannerComment: "",
      strictIndexSignatures: false,
    },
  );
  return declarations(text);
};

/** The object that a method gets: required members there, optional ones absent, never null. */
export const paramsSchema = (method: ContractMethod): Schema => ({
  title: `${pascalCase(method.name)}Params`,
  description: `Parameters of ${method.name} by name.`,
  type: "object",
  properties: Object.fromEntries(
    parametersOf(method).map((parameter) => [
      parameter.name,
      { description: parameter.description, ...withoutNull(parameter.schema) },
    ]),
  ),
  required: method.params.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  additionalProperties: false,
});

/** The TypeScript that whole numbers beyond 2^53 and references become. */
export interface TypeWords {
  uint64(schema: Schema): string;
  reference(name: string): string;
}

/** Our own code computes with these: whole numbers beyond 2^53 arrive as bigint. */
const plainWords: TypeWords = { uint64: () => "number | bigint", reference: (name) => name };

/** A schema in which references and 64-bit integers are TypeScript already. */
export const withTypeNames = (schema: Schema, words: TypeWords): Schema =>
  mapSchemas(schema, (one) => {
    const description = one["description"] === undefined ? {} : { description: one["description"] };
    if (isUint64(one)) return { ...description, tsType: words.uint64(one) };
    // The type is referred to by name: a reference with a description next to it would be declared again as Address1,
    // Address2 ...
    const reference = referenceOf(one);
    if (reference !== null) return { ...description, tsType: words.reference(reference) };
    if (!Object.keys(one).some((keyword) => shapeKeywords.has(keyword)))
      return { ...description, tsType: "unknown" };
    return one["type"] === "array" && one["minItems"] !== one["maxItems"] ? withoutLength(one) : one;
  });

/** A list of up to 20 would become a choice of 21 tuples. */
const withoutLength = ({ minItems: _fewest, maxItems: _most, ...rest }: Schema): Schema => rest;

/** A schema with none of these allows every value. */
const shapeKeywords: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "anyOf",
  "allOf",
  "properties",
  "items",
  "tsType",
]);

/** The compiler's own remarks on reachability are no documentation. */
const declarations = (text: string): string =>
  text
    .replaceAll(/export interface Unused \{\s*\}\n/g, "")
    .replaceAll(
      / \*(?: \*)?\n \* This interface was referenced by [^\n]*\n \* via the `definition` "[^"]*"\.?\n/g,
      "",
    )
    .replaceAll(/ \* This interface was referenced by [^\n]*\n \* via the `definition` "[^"]*"\.?\n/g, "")
    .replaceAll(/\/\*\*\s*\*\/\n/g, "")
    .trim();

/** A result that is a schema of another name gets its own next to it. */
const resultAliases = (contract: Contract): string =>
  contract.methods
    .map(({ name, summary, result }) => ({
      alias: `${pascalCase(name)}Result`,
      schema: referenceOf(result.schema),
      summary,
    }))
    .filter(({ alias, schema }) => schema !== null && schema !== alias)
    .map(({ alias, schema, summary }) => `/** ${summary} */\nexport type ${alias} = ${schema};\n`)
    .join("");

const methodTypes = (contract: Contract): string => {
  const rows = contract.methods.map(
    ({ name, summary }) =>
      `  /** ${summary} */\n  ${name}: { params: ${pascalCase(name)}Params; result: ${pascalCase(name)}Result };`,
  );
  return `\n${resultAliases(contract)}\n/** Every method by its wire name. */\nexport interface MethodTypes {\n${rows.join("\n")}\n}\n\n/** Wire name of a method. */\nexport type MethodName = keyof MethodTypes;\n`;
};
