import { type Contract, type Schema } from "@lamplight/docs/build";
import { pascalCase } from "../emit-helpers.ts";
import { paramsSchema } from "../emit-types.ts";
import { normalForm, type NormalForm } from "./normal-form.ts";

/** The values that each named schema of the contract, and each method's object of parameters, allows. */
export const formsOfContract = (contract: Contract): ReadonlyMap<string, NormalForm> => {
  const { schemas } = contract.components;
  const resolve = (reference: string): Schema => schemas[reference.slice(reference.lastIndexOf("/") + 1)]!;
  return new Map([
    ...Object.entries(schemas).map(([name, schema]) => [name, normalForm(schema, resolve)] as const),
    ...contract.methods.map(
      (method) => [`${pascalCase(method.name)}Params`, normalForm(paramsSchema(method), resolve)] as const,
    ),
  ]);
};
