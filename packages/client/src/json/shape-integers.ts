import type { IntegerMode } from "../types/values.ts";

/**
 * It says where the 64-bit integers are: here, deeper under a member's name, or under `[]` in every item of an array.
 * Amounts are lamports, token units and rent epochs, which a double does not hold.
 */
export type Uint64Plan = "amount" | "other" | { readonly [member: string]: Uint64Plan };

/**
 * Gives every integer the type that the contract and the mode say, in place, regardless of its value: a type must not
 * depend on a value. An integer that the contract does not know, such as one in off-chain JSON, is a number.
 */
export const shapeIntegers = (value: unknown, plan: Uint64Plan | undefined, mode: IntegerMode): unknown => {
  if (typeof value === "number" || typeof value === "bigint") return shapeInteger(value, plan, mode);
  if (typeof value !== "object" || value === null) return value;
  const items = Array.isArray(value) ? deeper(plan, "[]") : undefined;
  for (const [name, member] of Object.entries(value)) {
    const shaped = shapeIntegers(member, items ?? deeper(plan, name), mode);
    // Defined and not assigned: off-chain JSON can have a member `__proto__`.
    if (shaped !== member)
      Object.defineProperty(value, name, {
        ...Object.getOwnPropertyDescriptor(value, name),
        value: shaped,
      });
  }
  return value;
};

const deeper = (plan: Uint64Plan | undefined, name: string): Uint64Plan | undefined =>
  typeof plan === "object" && Object.hasOwn(plan, name) ? plan[name] : undefined;

const shapeInteger = (
  value: number | bigint,
  plan: Uint64Plan | undefined,
  mode: IntegerMode,
): number | bigint | string => {
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (plan === "amount" && isWhole) return mode === "string" ? String(value) : BigInt(value);
  if (mode !== "bigint") return Number(value);
  return plan === "other" && isWhole ? BigInt(value) : value;
};
