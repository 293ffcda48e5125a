import { type Contract, isUint64, referenceOf, type Schema } from "@lamplight/docs/build";
import { banner } from "../emit-helpers.ts";
import { mainClient } from "./client-kind.ts";

/** As in the client: here, deeper under a member's name, or under `[]` in every item of an array. */
type Uint64Plan = "amount" | "other" | { readonly [member: string]: Uint64Plan };

/** Emits, for each method, where in its result the contract marks a 64-bit integer. */
export const emitUint64Members = (contract: Contract, { sources, prefix } = mainClient): string => {
  const plans = Object.fromEntries(
    contract.methods.map(({ name, result }) => [name, planOf(contract, result.schema) ?? {}]),
  );
  const asset = planOf(contract, contract.components.schemas["Asset"]!);
  const text = JSON.stringify(plans, (_, plan) => (isSame(plan, asset) ? assetText : plan), 2);
  const table = prefix === "" ? "uint64Members" : `${prefix.toLowerCase()}Uint64Members`;
  return `${banner}
import type { Uint64Plan } from "${sources}json/shape-integers.ts";
import type { ${prefix}MethodName } from "./types.ts";

/** Named, because several methods answer assets and every byte of the client counts. */
const ${assetText}: Uint64Plan = ${JSON.stringify(asset, null, 2)};

/** The 64-bit integers in the result of every method. */
export const ${table}: { readonly [name in ${prefix}MethodName]: Uint64Plan } = ${text.replaceAll(`"${assetText}"`, assetText)};
`;
};

const assetText = "assetMembers";

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** null when there are none. */
const planOf = (contract: Contract, schema: Schema): Uint64Plan | null => {
  if (isUint64(schema)) return schema["x-amount"] === true ? "amount" : "other";
  const reference = referenceOf(schema);
  if (reference !== null) return planOf(contract, contract.components.schemas[reference]!);
  const { properties, items, anyOf, allOf, oneOf } = schema as {
    properties?: { [name: string]: Schema };
    items?: Schema;
    anyOf?: Schema[];
    allOf?: Schema[];
    oneOf?: Schema[];
  };
  const members = [
    ...Object.entries(properties ?? {}),
    ...(items === undefined ? [] : [["[]", items] as const]),
  ].flatMap(([name, one]) => {
    const plan = planOf(contract, one);
    return plan === null ? [] : [{ [name]: plan }];
  });
  const forms = [...(anyOf ?? []), ...(allOf ?? []), ...(oneOf ?? [])].map((one) => planOf(contract, one));
  return [...members, ...forms].reduce(merge, null);
};

const merge = (first: Uint64Plan | null, second: Uint64Plan | null): Uint64Plan | null => {
  if (first === null || second === null) return first ?? second;
  if (typeof first === "string" || typeof second === "string") return first;
  const merged: { [member: string]: Uint64Plan } = { ...first };
  for (const [name, plan] of Object.entries(second)) merged[name] = merge(merged[name] ?? null, plan)!;
  return merged;
};
