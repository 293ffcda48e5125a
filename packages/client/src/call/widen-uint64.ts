import type { Uint64Plan } from "../generated/uint64-members.ts";

/**
 * Turns the members that the contract marks as u64 into bigint, in place, whatever their size: a type must not
 * depend on a value. Everything else stays as parsed.
 */
export const widenUint64 = (value: unknown, plan: Uint64Plan): unknown => {
  if (plan === true) return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = plan["[]"];
    if (items !== undefined)
      for (const [index, item] of value.entries()) value[index] = widenUint64(item, items);
    return value;
  }
  const members = value as { [name: string]: unknown };
  for (const [name, deeper] of Object.entries(plan))
    if (Object.hasOwn(members, name)) members[name] = widenUint64(members[name], deeper);
  return value;
};
