import {
  banner,
  type Contract,
  type ContractMethod,
  parametersOf,
  pascalCase,
  referenceOf,
  type Schema,
  withoutNull,
} from "../contract-model.ts";

/** One function per method: typed positions, typed names, and what is needed to tell them apart. */
export const emitClientMethods = (contract: Contract): string => {
  const { methods } = contract;
  const imports = [
    ...new Set([
      ...methods.flatMap((method) => method.params.flatMap(({ schema }) => namesIn(withoutNull(schema)))),
      ...methods.flatMap(({ name }) => [`${pascalCase(name)}Params`, `${pascalCase(name)}Result`]),
      "MethodName",
    ]),
  ].toSorted();
  return `${banner}
import type {
${imports.map((name) => `  ${name},`).join("\n")}
} from "./types.ts";

${methods.map(positionsType).join("\n")}
/** Positional arguments of every method; null or undefined = not used. */
export interface MethodPositions {
${methods.map(({ name }) => `  ${name}: ${pascalCase(name)}Positions;`).join("\n")}
}

/** One function per method, called with positions or with one object of names. */
export interface Methods {
${methods.map(signatures).join("\n")}
}

/** Parameter names of a method, positional ones first. */
export interface MethodShape {
  readonly names: readonly string[];
  /** Whether the first position may hold an object, which is then not mistaken for named arguments. */
  readonly isObjectFirst: boolean;
}

export const methodShapes: { readonly [name in MethodName]: MethodShape } = ${JSON.stringify(
    Object.fromEntries(methods.map((method) => [method.name, shapeOf(contract, method)])),
    null,
    2,
  )};
`;
};

const positionsType = (method: ContractMethod): string => {
  const positions = method.params.map(({ name, required, schema, description }) => {
    const label = reservedWords.has(name) ? `${name}_` : name;
    const type = typeOf(withoutNull(schema));
    return `  /** ${description} */\n  ${label}${required ? "" : "?"}: ${type}${required ? "" : " | null | undefined"},`;
  });
  return `/** Positional arguments of ${method.name}. */\nexport type ${pascalCase(method.name)}Positions = [\n${positions.join("\n")}\n];\n`;
};

/** Cannot be the label of a position. */
const reservedWords: ReadonlySet<string> = new Set(["interface"]);

const signatures = ({ name, summary }: ContractMethod): string => {
  const type = pascalCase(name);
  return `  /** ${summary} */\n  ${name}(...positions: ${type}Positions): Promise<${type}Result>;\n  /** ${summary} */\n  ${name}(named: ${type}Params): Promise<${type}Result>;`;
};

/** What parameters of this contract are made of, and nothing more. */
const typeOf = (schema: Schema): string => {
  const reference = referenceOf(schema);
  if (reference !== null) return reference;
  if (schema["format"] === "uint64") return "number | bigint";
  switch (schema["type"]) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
      return schema["type"];
    default:
      throw new Error(`a parameter needs a named schema: ${JSON.stringify(schema)}`);
  }
};

const namesIn = (schema: Schema): readonly string[] => {
  const reference = referenceOf(schema);
  return reference === null ? [] : [reference];
};

const shapeOf = (contract: Contract, method: ContractMethod) => {
  const [first] = method.params;
  return {
    names: parametersOf(method).map(({ name }) => name),
    isObjectFirst: first !== undefined && isObject(contract, withoutNull(first.schema)),
  };
};

const isObject = (contract: Contract, schema: Schema): boolean => {
  const reference = referenceOf(schema);
  return reference === null
    ? schema["type"] === "object"
    : isObject(contract, contract.components.schemas[reference]!);
};
