import { type Contract, referenceOf, type Schema, withoutNull } from "@lamplight/docs/build";
import { banner, describedSchemas, pascalCase } from "../emit-helpers.ts";
import { declareTypes, paramsSchema, type TypeWords, withTypeNames } from "../emit-types.ts";
import { type ClientKind, mainClient, mainTypes, sharedNames } from "./client-kind.ts";
import { argumentsOf, type TypeParameter, typeParameters } from "./type-parameters.ts";

/** Declared by hand in `src/types`, because what they hold follows from the encoding. */
const byHand: ReadonlySet<string> = new Set(["AccountData", "EncodedData", "ParsedAccountData"]);

/** The types that the client accepts in place of a schema's own. */
const inputTypes: { readonly [name: string]: string } = {
  Address: "AddressLike",
  Encoding: "E",
};

const text = { type: "string" };

const inputSchemas: { readonly [name: string]: string } = {
  GroupingPair: "[key: string, value: AddressLike]",
};

/** Off-chain JSON is of any type; the client brings these members to one type each (`src/call/normalize-content.ts`). */
const normalized: { readonly [schema: string]: { readonly [member: string]: Schema } } = {
  AssetLinks: { image: text, animation_url: text, external_url: text },
  AssetMetadata: { description: text, attributes: { tsType: "AssetAttribute[]" } },
  AssetAttribute: {
    trait_type: text,
    value: { tsType: "string | number | bigint | boolean" },
    display_type: text,
  },
  CollectionMetadata: { name: text, symbol: text, image: text, description: text, external_url: text },
};

/** The generated files of types. */
export interface ClientTypes {
  /** Types that do not depend on the encoding of account data; the types written by hand use some of them. */
  readonly values: string;
  /** All types, and the table of methods. */
  readonly types: string;
}

/**
 * The types of the contract as the client has them: results depend on the option `integers` (I) and on the encoding
 * that was asked for (E); parameters accept more than the wire does.
 */
export const emitClientTypes = async (contract: Contract, kind = mainClient): Promise<ClientTypes> => {
  const parameters = typeParameters(contract);
  const shared = sharedNames(contract, kind);
  const definitions: { [name: string]: Schema } = {};
  for (const [name, schema] of describedSchemas(contract))
    if (!byHand.has(name) && !shared.has(name)) {
      const words = parameters.inputs.has(name) ? inputWords(parameters.of) : resultWords(parameters.of);
      definitions[name] = withTypeNames(normalize(name, schema), words);
    }
  for (const method of contract.methods) {
    const type = pascalCase(method.name);
    definitions[`${type}Params`] = withTypeNames(paramsSchema(method), inputWords(parameters.of));
    const { schema } = method.result;
    if (definitions[`${type}Result`] === undefined && referenceOf(schema) === null)
      definitions[`${type}Result`] = withTypeNames(
        { title: `${type}Result`, ...schema },
        resultWords(parameters.of),
      );
  }
  const isEncoded = (name: string): boolean => parameters.of(name).includes("E");
  const declare = async (isWanted: (name: string) => boolean): Promise<string> => {
    const wanted = Object.entries(definitions).filter(([name]) => isWanted(name));
    if (wanted.length === 0) return "";
    const code = withUndefined(await declareTypes(Object.fromEntries(wanted)), parameters.inputs);
    return withParameters(code, parameters.of);
  };
  const values = await declare((name) => !isEncoded(name));
  const types =
    (await declare(isEncoded)) +
    aliases(contract, parameters.of) +
    methodTypes(contract, parameters.of, kind.prefix);
  const files = { ...handWritten(kind), ...(kind.main === null ? {} : { [mainTypes(kind)]: [...shared] }) };
  const imports = importUsed(types, { ...files, "./values.ts": namesIn(values) });
  return {
    values: `${banner}\n${importUsed(values, files)}\n${values}`,
    types: `${banner}\n${imports}\nexport type * from "./values.ts";\n\n${types}`,
  };
};

const handWritten = ({ sources }: ClientKind): { readonly [file: string]: readonly string[] } => ({
  [`${sources}types/account-data.ts`]: ["AccountData"],
  [`${sources}types/values.ts`]: ["AddressLike", "Amount", "IntegerMode", "Uint64"],
});

const namesIn = (code: string): readonly string[] =>
  Array.from(code.matchAll(/^export (?:interface|type) (\w+)/gmu), ([, name]) => name!);

/** Imports of the names that the code uses. */
const importUsed = (code: string, files: { readonly [file: string]: readonly string[] }): string => {
  const used = new Set(code.replaceAll(/\/\*\*[\s\S]*?\*\//gu, "").match(/\w+/gu));
  return Object.entries(files)
    .map(([file, names]) => [file, names.filter((name) => used.has(name))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([file, names]) => `import type { ${names.join(", ")} } from "${file}";\n`)
    .join("");
};

type ParametersOf = (type: string) => readonly TypeParameter[];

const inputWords = (of: ParametersOf): TypeWords => ({
  uint64: () => "number | bigint",
  reference: (name) => inputTypes[name] ?? `${name}${argumentsOf(of(name))}`,
});

const resultWords = (of: ParametersOf): TypeWords => ({
  uint64: (schema) => (schema["x-amount"] === true ? "Amount<I>" : "Uint64<I>"),
  reference: (name) => `${name}${argumentsOf(of(name))}`,
});

const normalize = (name: string, schema: Schema): Schema => {
  const input = inputSchemas[name];
  if (input !== undefined) return { description: schema["description"], tsType: input };
  const properties = schema["properties"] as { [member: string]: Schema } | undefined;
  const changes = normalized[name];
  if (changes === undefined || properties === undefined) return schema;
  const changed = Object.entries(changes).map(([member, change]) => [
    member,
    { description: properties[member]!["description"], ...change },
  ]);
  // Other members would be of any type, and with them every misspelt one.
  return {
    ...schema,
    properties: { ...properties, ...(Object.fromEntries(changed) as typeof properties) },
    additionalProperties: false,
  };
};

const declaredInterface = /^export interface (\w+) \{\n[\s\S]*?^\}/gmu;

/** Parameters that are not used may be undefined, also where the caller's compiler distinguishes that from absent. */
const withUndefined = (code: string, inputs: ReadonlySet<string>): string =>
  code.replaceAll(declaredInterface, (block, name: string) =>
    inputs.has(name) || name.endsWith("Params")
      ? block.replaceAll(/^( {2}\w+\?: [^;\n]+);$/gmu, "$1 | undefined;")
      : block,
  );

const declaration = /^export (interface|type) (\w+)(?= [={])/gmu;

const withParameters = (code: string, of: ParametersOf): string =>
  code.replaceAll(declaration, (head, _kind, name: string) => `${head}${declaredParameters(of(name))}`);

const defaults: { readonly [parameter in TypeParameter]: string } = {
  E: "E extends Encoding = Encoding",
  I: 'I extends IntegerMode = "amounts"',
};

const declaredParameters = (parameters: readonly TypeParameter[]): string =>
  parameters.length === 0 ? "" : `<${parameters.map((parameter) => defaults[parameter]).join(", ")}>`;

/** A result that is a schema of another name has its own name too. */
const aliases = (contract: Contract, of: ParametersOf): string =>
  contract.methods
    .map(({ name, summary, result }) => ({
      alias: `${pascalCase(name)}Result`,
      schema: referenceOf(result.schema),
      summary,
    }))
    .filter(({ alias, schema }) => schema !== null && schema !== alias)
    .map(
      ({ alias, schema, summary }) =>
        `/** ${summary} */\nexport type ${alias}${declaredParameters(of(schema!))} = ${schema}${argumentsOf(of(schema!))};\n`,
    )
    .join("");

const methodTypes = (contract: Contract, of: ParametersOf, prefix: string): string => {
  const parameters = [
    ...(contract.components.schemas["Encoding"] === undefined ? [] : [defaults.E]),
    defaults.I,
  ];
  const rows = contract.methods.map(({ name, summary, result }) => {
    const type = pascalCase(name);
    const schema = referenceOf(withoutNull(result.schema)) ?? `${type}Result`;
    return `  /** ${summary} */\n  ${name}: { params: ${type}Params; result: ${type}Result${argumentsOf(of(schema))} };`;
  });
  return `
/** Every method by its wire name. */
export interface ${prefix}MethodTypes<${parameters.join(", ")}> {
${rows.join("\n")}
}

/** Wire name of a method. */
export type ${prefix}MethodName = keyof ${prefix}MethodTypes;
`;
};
