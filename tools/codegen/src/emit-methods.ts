import { type Contract, parametersOf, referenceOf, type Schema, withoutNull } from "@lamplight/docs/build";
import { banner } from "./emit-helpers.ts";

/** The table of methods and their parameters, and the checks over the standalone validators. */
export const emitMethods = (contract: Contract): string => {
  const table = Object.fromEntries(
    contract.methods.map((method) => [
      method.name,
      {
        params: parametersOf(method).map(({ name, required, byNameOnly, ...parameter }) => ({
          name,
          required,
          aliases: parameter["x-aliases"] ?? [],
          byNameOnly,
          type: typeOf(withoutNull(parameter.schema)),
          members: membersOf(contract, withoutNull(parameter.schema)),
        })),
      },
    ]),
  );
  const perMethod = contract.methods.map(({ name }) => `  ${name}: issuesOf(checks.${name}),`);
  const perParameter = contract.methods.flatMap((method) =>
    parametersOf(method).map(({ name }) => `  ["${method.name} ${name}", checks.${method.name}_${name}],`),
  );
  return `${banner}
import type { MethodName } from "./types.ts";
import * as checks from "./validators.js";

/** One parameter of a method; positional ones come first, in order. */
export interface MethodParameter {
  readonly name: string;
  readonly required: boolean;
  /** Other names that real clients send. */
  readonly aliases: readonly string[];
  /** Known by name only, without a position. */
  readonly byNameOnly: boolean;
  /** Name of its schema, or the JSON type of one without a name. */
  readonly type: string;
  /** Known members, when the parameter is an object. */
  readonly members: readonly string[];
}

export const methods: { readonly [name in MethodName]: { readonly params: readonly MethodParameter[] } } =
${JSON.stringify(table, undefined, 2)};

/** One thing wrong with a value: where, which rule of the schema, and in words. */
export interface ValidationIssue {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly message: string;
  readonly params: { readonly [name: string]: unknown };
}

interface Check {
  (value: unknown): boolean;
  errors?: readonly { instancePath: string; keyword: string; message?: string; params: { [name: string]: unknown } }[] | null;
}

const issuesOf =
  (check: Check) =>
  (params: unknown): readonly ValidationIssue[] =>
    check(params)
      ? []
      : (check.errors ?? []).map(({ instancePath, keyword, message, params: about }) => ({
          path: instancePath
            .split("/")
            .slice(1)
            .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
          keyword,
          message: message ?? "is not valid",
          params: about,
        }));

/** Issues of an object of named parameters, in which null stands for nothing any more; none = valid. */
export const validators: { readonly [name in MethodName]: (params: unknown) => readonly ValidationIssue[] } = {
${perMethod.join("\n")}
};

const parameterChecks: ReadonlyMap<string, Check> = new Map<string, Check>([
${perParameter.join("\n")}
]);

/** Whether a value alone fits a parameter. */
export const matchesParameter = (method: MethodName, parameter: string, value: unknown): boolean =>
  parameterChecks.get(\`\${method} \${parameter}\`)?.(value) ?? false;
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
