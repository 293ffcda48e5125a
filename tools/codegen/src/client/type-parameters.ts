import { type Contract, parametersOf, isUint64, referenceOf, type Schema } from "@lamplight/docs/build";
import { mapSchemas, pascalCase } from "../emit-helpers.ts";

/** `E`: the encoding that was asked for. `I`: how integers are given. */
export type TypeParameter = "E" | "I";

export interface TypeParameters {
  /** Names of schemas that only parameters are made of. */
  readonly inputs: ReadonlySet<string>;
  /** The parameters of a declared type. */
  readonly of: (type: string) => readonly TypeParameter[];
}

/** The parameters of each type of the contract. */
export const typeParameters = (contract: Contract): TypeParameters => {
  const { schemas } = contract.components;
  const reach = (roots: readonly Schema[]): Set<string> => {
    const seen = new Set<string>();
    const visit = (schema: Schema): void => {
      for (const name of namesIn(schema))
        if (!seen.has(name)) {
          seen.add(name);
          visit(schemas[name]!);
        }
    };
    roots.forEach(visit);
    return seen;
  };
  const inputs = reach(
    contract.methods.flatMap((method) => parametersOf(method).map(({ schema }) => schema)),
  );
  const results = reach(contract.methods.map(({ result }) => result.schema));
  const own = new Map<string, Schema>(Object.entries(schemas));
  for (const { name, result } of contract.methods)
    if (!own.has(`${pascalCase(name)}Result`)) own.set(`${pascalCase(name)}Result`, result.schema);
  const paramsByType = new Map(
    contract.methods.map((method) => [
      `${pascalCase(method.name)}Params`,
      parametersOf(method).map(({ schema }) => schema),
    ]),
  );
  const of = (type: string): readonly TypeParameter[] => {
    const params = paramsByType.get(type);
    const schema = own.get(type);
    const isInput = params !== undefined || (inputs.has(type) && !results.has(type));
    const parts = params ?? (schema === undefined ? [] : [schema]);
    const reached = reach(parts);
    if (isInput) return type !== "Encoding" && reached.has("Encoding") ? ["E"] : [];
    const all = [...parts, ...[...reached].map((name) => schemas[name]!)];
    return [
      ...(type === "AccountData" || reached.has("AccountData") ? (["E"] as const) : []),
      ...(all.some(hasUint64) ? (["I"] as const) : []),
    ];
  };
  return { inputs: new Set([...inputs].filter((name) => !results.has(name))), of };
};

/** `<E, I>`, or nothing. */
export const argumentsOf = (parameters: readonly TypeParameter[]): string =>
  parameters.length === 0 ? "" : `<${parameters.join(", ")}>`;

const namesIn = (schema: Schema): readonly string[] => {
  const names: string[] = [];
  mapSchemas(schema, (one) => {
    const reference = referenceOf(one);
    if (reference !== null) names.push(reference);
    return one;
  });
  return names;
};

const hasUint64 = (schema: Schema): boolean => {
  let found = false;
  mapSchemas(schema, (one) => {
    found ||= isUint64(one);
    return one;
  });
  return found;
};
