import { type Contract, parametersOf, referenceOf, type Schema, withoutNull } from "@lamplight/docs/build";
import { banner } from "./emit-helpers.ts";

/**
 * The table of methods and their parameters, and the checks over the standalone validators.
 *
 * @param shared - the module that makes the checks
 */
export const emitMethods = (contract: Contract, shared: string): string => {
  const rows = contract.methods.map((method) => {
    const parameters = parametersOf(method).map(({ name, required, byNameOnly, ...parameter }) => {
      const schema = withoutNull(parameter.schema);
      const row = {
        name,
        required,
        aliases: parameter["x-aliases"] ?? [],
        byNameOnly,
        type: typeOf(schema),
        members: membersOf(contract, schema),
      };
      return `      ${JSON.stringify(row)},\n`;
    });
    return `  ${method.name}: {\n    params: [\n${parameters.join("")}    ],\n  },\n`;
  });
  return `${banner}
import { methodChecks, type ParameterTable } from "${shared}";
import type { MethodName } from "./types.ts";
import * as checks from "./validators.js";

export const methods: ParameterTable<MethodName> = {
${rows.join("")}};

export const { validators, matchesParameter } = methodChecks<MethodName>(methods, checks);
`;
};

const typeOf = (schema: Schema): string => referenceOf(schema) ?? String(schema["type"]);

/** Member names of an object schema, or of every form it may take. */
const membersOf = (contract: Contract, schema: Schema): readonly string[] => {
  const { $ref, properties, anyOf } = schema as {
    $ref?: string;
    properties?: object;
    anyOf?: readonly Schema[];
  };
  if ($ref !== undefined)
    return membersOf(contract, contract.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)]!);
  return [...Object.keys(properties ?? {}), ...(anyOf ?? []).flatMap((one) => membersOf(contract, one))];
};
