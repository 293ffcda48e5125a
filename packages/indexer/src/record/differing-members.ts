import type { Asset } from "@lamplight/core";

/** One asset that is not what its accounts and leaves say. */
export interface AssetDifference {
  /** Base58. */
  readonly id: string;
  /** Members that differ: `document`, `extras` or a fact; `asset` when nothing says there is one. */
  readonly differing: readonly string[];
}

/** Members of a stored asset that its derivation has otherwise; `asset` when nothing says that there is one. */
export const differingMembers = (stored: Asset, derived: Asset | null): string[] => {
  if (derived === null) return ["asset"];
  return (Object.keys(derived) as (keyof Asset)[]).filter(
    (name) => text(stored[name]) !== text(derived[name]),
  );
};

/** Equal for equal facts, regardless of what kind of byte array holds them (a `Buffer` would write itself differently). */
const text = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const member = this[name];
    if (member instanceof Uint8Array) return Buffer.from(member).toString("hex");
    return typeof member === "bigint" ? `${member}n` : member;
  });
