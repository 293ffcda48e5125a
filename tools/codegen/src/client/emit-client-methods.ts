import {
  type Contract,
  type ContractMethod,
  parametersOf,
  isUint64,
  referenceOf,
  type Schema,
  withoutNull,
} from "@lamplight/docs/build";
import { brokenInvariant } from "@lamplight/errors";
import { banner, pascalCase } from "../emit-helpers.ts";
import { type ClientKind, mainTypes, sharedNames } from "./client-kind.ts";
import { argumentsOf, typeParameters } from "./type-parameters.ts";

/** One function per method: typed positions, typed names, and what is needed to distinguish them. */
export const emitClientMethods = (contract: Contract): string => {
  const { methods } = contract;
  const of = (type: string): string => argumentsOf(typeParameters(contract).of(type));
  const bodies = `${methods.map((method) => positionsType(method, of)).join("\n")}
/** Positional arguments of every method; null or undefined = not used. */
export interface MethodPositions {
${methods.map(({ name, summary }) => `  /** ${summary} */\n  ${name}: ${pascalCase(name)}Positions;`).join("\n")}
}

/**
 * One function per method, called with one object of names, or with positions in the order of the specification.
 * A single signature for both, so that the compiler names a misspelt member in one line.
 */
export interface Methods<I extends IntegerMode = "amounts", M extends boolean = false> {
${methods.map((method) => signature(contract, method, of)).join("\n")}
}
`;
  const used = [...declaredNames(contract), "MethodName"].filter(
    (name) => name === "MethodName" || new RegExp(`\\b${name}\\b`, "u").test(bodies),
  );
  return `${banner}
import type { Reply, Walk, WalkOptions } from "../call/answer.ts";
import type { MethodShape } from "../call/method-shape.ts";
import type { AddressLike, IntegerMode } from "../types/values.ts";
import type {
${used
  .toSorted()
  .map((name) => `  ${name},`)
  .join("\n")}
} from "./types.ts";

${bodies}
${shapesText(contract, "")}`;
};

/** One function per method, called with one object of names: the way of clients of DAS. */
export const emitNamedMethods = (contract: Contract, kind: ClientKind): string => {
  const { sources, prefix } = kind;
  const { methods } = contract;
  const of = (type: string): string => argumentsOf(typeParameters(contract).of(type));
  const bodies = `/** One function per method, called with one object of names. */
export interface ${prefix}Methods<I extends IntegerMode = "amounts", M extends boolean = false> {
${methods.map((method) => namedSignature(contract, method, of)).join("\n")}
}
`;
  const shared = sharedNames(contract, kind);
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`, "u").test(bodies);
  const types = [...declaredNames(contract)].filter(isUsed);
  const own = [...types.filter((name) => !shared.has(name)), `${prefix}MethodName`].toSorted();
  const others = types.filter((name) => shared.has(name)).toSorted();
  return `${banner}
import type { Reply, Walk, WalkOptions } from "${sources}call/answer.ts";
import type { MethodShape } from "${sources}call/method-shape.ts";
${others.length === 0 ? "" : `import type { ${others.join(", ")} } from "${mainTypes(kind)}";\n`}import type { IntegerMode } from "${sources}types/values.ts";
import type {
${own.map((name) => `  ${name},`).join("\n")}
} from "./types.ts";

${bodies}
${shapesText(contract, prefix)}`;
};

const shapesText = (contract: Contract, prefix: string): string => {
  const shapes = contract.methods.map((method) => [method.name, shapeOf(contract, method)]);
  const table = prefix === "" ? "methodShapes" : `${prefix.toLowerCase()}MethodShapes`;
  return `/** The shape of every method by its wire name. */
export const ${table}: { readonly [name in ${prefix}MethodName]: MethodShape } = ${JSON.stringify(
    Object.fromEntries(shapes),
    null,
    2,
  )};
`;
};

const declaredNames = ({ components, methods }: Contract): ReadonlySet<string> =>
  new Set([
    ...Object.keys(components.schemas),
    ...methods.flatMap(({ name }) => [`${pascalCase(name)}Params`, `${pascalCase(name)}Result`]),
  ]);

type ArgumentsOf = (type: string) => string;

const positionsType = (method: ContractMethod, of: ArgumentsOf): string => {
  const positions = method.params.map(
    (parameter) =>
      `  /** ${parameter.description} */\n  ${labelOf(parameter)}: ${positionType(parameter, of).replace("<E>", "")},`,
  );
  return `/** Positional arguments of ${method.name}. */\nexport type ${pascalCase(method.name)}Positions = [\n${positions.join("\n")}\n];\n`;
};

/** Cannot be the label of a position. */
const reservedWords: ReadonlySet<string> = new Set(["interface"]);

type Position = ContractMethod["params"][number];

const labelOf = ({ name, required }: Position): string =>
  `${reservedWords.has(name) ? `${name}_` : name}${required ? "" : "?"}`;

const positionType = ({ schema, required }: Position, of: ArgumentsOf): string =>
  `${typeOf(withoutNull(schema), of)}${required ? "" : " | null | undefined"}`;

const signature = (contract: Contract, method: ContractMethod, of: ArgumentsOf): string => {
  const { name, summary } = method;
  const type = pascalCase(name);
  const [first, ...others] = method.params;
  const positions = method.params.map((position) => `${labelOf(position)}: ${positionType(position, of)}`);
  const schema = referenceOf(method.result.schema) ?? `${type}Result`;
  const result = `${type}Result${of(schema)}`;
  const named = `${type}Params${of(`${type}Params`)}`;
  // The answer is base64 where no encoding is named.
  const generics = of(`${type}Params`) === "<E>" ? '<const E extends Encoding = "base64">' : "";
  const answer = `Promise<Reply<${result}, M>>`;
  const call = (parameters: readonly string[]): string =>
    `  /** ${summary} */\n  ${name}${generics}(${parameters.join(", ")}): ${answer};`;
  // Two required positions: the number of arguments distinguishes the two ways.
  if (others.some(({ required }) => required)) return `${call([`named: ${named}`])}\n${call(positions)}`;
  const either = [`${labelOf(first!)}: ${named} | ${positionType(first!, of)}`, ...positions.slice(1)];
  const items = itemsOf(contract, method);
  if (items === null) return call(either);
  const walk = `Omit<${type}Params, "before">`;
  const walked = first!.required ? `${walk} | ${positionType(first!, of)}` : walk;
  return `  /** ${summary} */
  readonly ${name}: {
    (${either.join(", ")}): ${answer};
    /** Every item of every page, in order: \`for await (const item of client.${name}.all(…))\`. */
    all(${first!.required ? labelOf(first!) : "named?"}: ${walked}, options?: WalkOptions): Walk<${items.type}${of(items.type)}, ${result}>;
  };`;
};

const namedSignature = (contract: Contract, method: ContractMethod, of: ArgumentsOf): string => {
  const { name, summary, params, result: answered } = method;
  const type = pascalCase(name);
  const result = `${type}Result${of(referenceOf(answered.schema) ?? `${type}Result`)}`;
  const mark = params.some(({ required }) => required) ? "" : "?";
  const answer = `Promise<Reply<${result}, M>>`;
  const items = itemsOf(contract, method);
  if (items === null) return `  /** ${summary} */\n  ${name}(named${mark}: ${type}Params): ${answer};`;
  return `  /** ${summary} */
  readonly ${name}: {
    (named${mark}: ${type}Params): ${answer};
    /** Every item of every page, in order: \`for await (const item of client.${name}.all(…))\`. */
    all(named${mark}: Omit<${type}Params, "before">, options?: WalkOptions): Walk<${items.type}${of(items.type)}, ${result}>;
  };`;
};

/** The list in a result that has pages, and the type of its items. */
const itemsOf = (contract: Contract, { result }: ContractMethod): { member: string; type: string } | null => {
  const reference = referenceOf(result.schema);
  const schema = reference === null ? result.schema : contract.components.schemas[reference]!;
  const properties = (schema["properties"] ?? {}) as { [member: string]: Schema };
  if (properties["cursor"] === undefined) return null;
  const [member, list] = Object.entries(properties).find(([, one]) => one["type"] === "array")!;
  return { member, type: referenceOf(list["items"] as Schema)! };
};

const inputTypes: { readonly [name: string]: string } = { Address: "AddressLike" };

/** The parts that parameters of this contract are made of, and nothing more. */
const typeOf = (schema: Schema, of: ArgumentsOf): string => {
  const reference = referenceOf(schema);
  if (reference !== null) return inputTypes[reference] ?? `${reference}${of(reference)}`;
  if (isUint64(schema)) return "number | bigint";
  switch (schema["type"]) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
      return schema["type"];
    default:
      throw brokenInvariant(`a parameter needs a named schema: ${JSON.stringify(schema)}`);
  }
};

const shapeOf = (contract: Contract, method: ContractMethod) => {
  const [first] = method.params;
  const items = itemsOf(contract, method);
  return {
    ...(first !== undefined && isObject(contract, withoutNull(first.schema))
      ? { names: parametersOf(method).map(({ name }) => name) }
      : {}),
    ...(items === null ? {} : { pages: [items.member, first!.name] }),
  };
};

const isObject = (contract: Contract, schema: Schema): boolean => {
  const reference = referenceOf(schema);
  return reference === null
    ? schema["type"] === "object"
    : isObject(contract, contract.components.schemas[reference]!);
};
