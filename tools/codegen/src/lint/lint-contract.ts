import {
  type Contract,
  type ContractMethod,
  examplesOf,
  parametersOf,
  isUint64,
  referenceOf,
  type Schema,
} from "@lamplight/docs/build";

/** Everything that breaks our own rules for the contract, one sentence each. */
export const lintContract = (contract: Contract): readonly string[] => [
  ...lintSchemas(contract),
  ...contract.methods.flatMap((method) => lintMethod(contract, method)),
  ...lintErrors(contract),
  ...lintExtensions("the document", contract, documentExtensions),
];

type Check = (value: unknown) => boolean;

const isTextList: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");

/** The `x-` members, with where each may stand and its value. */
const documentExtensions: { readonly [name: string]: Check } = {
  "x-errors": (value) => typeof value === "object",
  "x-refused-requests": Array.isArray,
};
const methodExtensions = {
  "x-by-name-params": Array.isArray,
  "x-by-name-examples": Array.isArray,
  "x-error-examples": Array.isArray,
};
const parameterExtensions = {
  "x-aliases": isTextList,
  "x-lamplight-extension": (value: unknown) => value === true,
};
const schemaExtensions = {
  /** A quantity of lamports or tokens, or an epoch up to 2^64 - 1: a double does not hold it. */
  "x-amount": (value: unknown) => value === true,
  "x-format": (value: unknown) => value === "uint64",
  "x-lamplight-extension": (value: unknown) => value === true,
};

const lintExtensions = (
  where: string,
  holder: object,
  known: { readonly [name: string]: Check },
): readonly string[] =>
  Object.entries(holder)
    .filter(([name]) => name.startsWith("x-"))
    .filter(([name, value]) => known[name]?.(value) !== true)
    .map(([name]) => `${where}: ${name} is unknown there or not well-formed`);

const lintSchemas = (contract: Contract): readonly string[] => {
  const text = JSON.stringify(contract);
  return Object.entries(contract.components.schemas).flatMap(([name, schema]) => [
    ...(schema["title"] === name ? [] : [`schema ${name}: title is ${JSON.stringify(schema["title"])}`]),
    ...(isReferredTo(text, name) ? [] : [`schema ${name}: nothing refers to it`]),
    ...lintSchema(contract, `schema ${name}`, schema),
  ]);
};

/**
 * Whether the contract refers to a schema by reference, or in words where off-chain JSON may hold anything else as
 * well.
 */
const isReferredTo = (contractText: string, name: string): boolean =>
  contractText.includes(`"#/components/schemas/${name}"`) || contractText.includes(`\`${name}\``);

/** A schema and all inside it: described, closed or open on purpose, references that lead somewhere. */
const lintSchema = (contract: Contract, where: string, schema: Schema): readonly string[] => {
  const { properties, items, anyOf, allOf, additionalProperties } = schema as {
    properties?: { [name: string]: Schema };
    items?: Schema;
    anyOf?: readonly Schema[];
    allOf?: readonly Schema[];
    additionalProperties?: boolean;
  };
  const reference = referenceOf(schema);
  const own = [
    ...(reference === null || contract.components.schemas[reference] !== undefined
      ? []
      : [`${where}: ${reference} does not exist`]),
    ...(isDescribed(contract, schema) ? [] : [`${where}: has no description`]),
    ...(Array.isArray(schema["type"]) ? [`${where}: null is written as anyOf, not in a list of types`] : []),
    ...(properties === undefined || typeof additionalProperties === "boolean"
      ? []
      : [`${where}: does not say whether other members are allowed`]),
    ...(schema["format"] === undefined ? [] : [`${where}: validators refuse a format that they do not know`]),
    ...(schema["x-format"] === undefined || isWellFormedUint64(schema)
      ? []
      : [`${where}: x-format is not a well-formed uint64`]),
    ...lintExtensions(where, schema, schemaExtensions),
  ];
  return [
    ...own,
    ...Object.entries(properties ?? {}).flatMap(([name, one]) =>
      lintSchema(contract, `${where}.${name}`, one),
    ),
    ...[...(anyOf ?? []), ...(allOf ?? [])]
      .filter((one) => one["$ref"] !== undefined || one["properties"] !== undefined)
      .flatMap((one) => lintSchema(contract, where, one)),
    ...(items?.["$ref"] === undefined ? [] : lintSchema(contract, `${where}[]`, items)),
  ];
};

const isWellFormedUint64 = (schema: Schema): boolean =>
  isUint64(schema) &&
  schema["type"] === "integer" &&
  schema["minimum"] === 0 &&
  schema["maximum"] === undefined;

/** Whether a schema is described by itself, or by what it refers to or consists of. */
const isDescribed = (contract: Contract, schema: Schema): boolean => {
  if (typeof schema["description"] === "string" && schema["description"] !== "") return true;
  const reference = referenceOf(schema);
  if (reference !== null) {
    const named = contract.components.schemas[reference];
    return named === undefined || isDescribed(contract, named);
  }
  const parts = [schema["items"], ...((schema["anyOf"] ?? schema["allOf"] ?? []) as readonly Schema[])];
  return parts.some((one) => one !== undefined && isDescribed(contract, one as Schema));
};

/** Fewer than these characters say no more than the name does. */
const DESCRIPTION_CHARS_MIN = 12;
const METHOD_PARAGRAPHS_MIN = 3;

const lintMethod = (contract: Contract, method: ContractMethod): readonly string[] => [
  ...((method.description ?? "").split("\n\n").length < METHOD_PARAGRAPHS_MIN
    ? [`${method.name}: the description has fewer than ${METHOD_PARAGRAPHS_MIN} paragraphs`]
    : []),
  ...method.tags
    .filter(({ description, externalDocs }) => !description || !externalDocs?.url)
    .map(({ name }) => `${method.name}, tag ${name}: has no description or no guide`),
  ...parametersOf(method).flatMap((parameter) => {
    const where = `${method.name} ${parameter.name}`;
    return [
      ...(parameter.description.length >= DESCRIPTION_CHARS_MIN ? [] : [`${where}: has no description`]),
      ...(parameter.required || parameter.description.includes("Null: ")
        ? []
        : [`${where}: does not say what null means`]),
      ...(parameter.required === allowsNull(parameter.schema)
        ? [`${where}: must allow null exactly if it is optional`]
        : []),
      ...(parameter.byNameOnly && parameter["x-lamplight-extension"] !== true
        ? [`${where}: is beyond the positions and not marked as an extension`]
        : []),
      ...lintExtensions(where, parameter, parameterExtensions),
    ];
  }),
  ...lintExamples(method),
  ...method.errors
    .filter((error) => contract.components.errors[referenceOf(error) ?? ""] === undefined)
    .map((error) => `${method.name}: error ${JSON.stringify(error)} does not exist`),
  ...lintExtensions(method.name, method, methodExtensions),
];

const allowsNull = (schema: Schema): boolean =>
  ((schema["anyOf"] ?? []) as readonly Schema[]).some((one) => one["type"] === "null");

const lintExamples = (method: ContractMethod): readonly string[] => {
  const names = parametersOf(method).map(({ name }) => name);
  return [
    ...(method.examples.length > 0 ? [] : [`${method.name}: has no example`]),
    ...((method["x-error-examples"] ?? []).length > 0 ? [] : [`${method.name}: has no example of a refusal`]),
    ...examplesOf(method).flatMap((example) =>
      example.params
        .filter(({ name }) => !names.includes(name))
        .map(({ name }) => `${method.name}, example ${example.name}: ${name} is no parameter`),
    ),
    ...method.examples.flatMap((example) =>
      example.params
        .filter(({ name }, index) => name !== method.params[index]?.name)
        .map(({ name }) => `${method.name}, example ${example.name}: ${name} is not at its position`),
    ),
  ];
};

/** Solana client libraries break on other codes in answers of the account methods. */
const accountCodes: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32603, -32016]);

const lintErrors = (contract: Contract): readonly string[] => [
  ...Object.keys(contract.components.errors)
    .filter((name) => !contract["x-errors"][name]?.meaning)
    .map((name) => `error ${name}: x-errors does not say what it means`),
  ...Object.keys(contract["x-errors"])
    .filter((name) => contract.components.errors[name] === undefined)
    .map((name) => `x-errors: ${name} is no error`),
  ...contract.methods
    .filter(({ tags }) => tags.some(({ name }) => name === "accounts"))
    .flatMap(({ name, errors }) =>
      errors
        .map((error) => contract.components.errors[referenceOf(error)!])
        .filter((error) => error !== undefined && !accountCodes.has(error.code))
        .map((error) => `${name}: account methods must not answer ${error!.code}`),
    ),
];
