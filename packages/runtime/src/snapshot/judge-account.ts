import { encodeAddress, sameBytes } from "@lamplight/codecs";
import type { Account, Coverage, Slot } from "@lamplight/core";

/** One account on which a store and a snapshot differ. */
export interface AccountDifference {
  readonly address: string;
  /** Fields that differ; `missing`: the store has no living account; `extra`: the snapshot has none. */
  readonly differs: readonly string[];
  /** Slot of the store's version; null where it has none. */
  readonly storeSlot: Slot | null;
  readonly snapshotSlot: Slot | null;
}

/**
 * `same`, or what differs. `later`: the store's version is of a slot after the snapshot. `pending`: the snapshot's
 * version may be of a slot after the store. `uncovered`: the store does not cover the account.
 */
export type Verdict = "same" | "later" | "pending" | "uncovered" | AccountDifference;

export interface JudgeSettings {
  readonly snapshotSlot: Slot;
  readonly storeSlot: Slot;
  readonly coverage: Coverage;
  /** Whether the chain's hash includes the rent epoch. */
  readonly hasRentEpoch: boolean;
}

/**
 * Compares both sides of one address. Contents count, not slots, because a node may report the slot of its answer
 * instead of that of the write.
 *
 * @param stored - a living version or a tombstone
 */
export const createJudge = ({ snapshotSlot, storeSlot, coverage, hasRentEpoch }: JudgeSettings) => {
  const covers = coveredBy(coverage);
  return (stored: Account | null, proved: Account | null): Verdict => {
    const living = stored === null || stored.lamports === 0n ? null : stored;
    const differs = differing(living, proved, hasRentEpoch);
    if (differs.length === 0) return "same";
    if (stored !== null && stored.slot > snapshotSlot) return "later";
    // An account that the snapshot lacks may have been closed in any slot up to its own.
    if ((proved?.slot ?? snapshotSlot) > storeSlot) return "pending";
    if (living === null && proved !== null && !covers(proved)) return "uncovered";
    return {
      address: encodeAddress((stored ?? (proved as Account)).address),
      differs,
      storeSlot: stored?.slot ?? null,
      snapshotSlot: proved?.slot ?? null,
    };
  };
};

const differing = (
  stored: Account | null,
  proved: Account | null,
  hasRentEpoch: boolean,
): readonly string[] => {
  if (stored === null) return proved === null ? [] : ["missing"];
  if (proved === null) return ["extra"];
  return [
    ...(stored.lamports === proved.lamports ? [] : ["lamports"]),
    ...(sameBytes(stored.programOwner, proved.programOwner) ? [] : ["owner"]),
    ...(stored.executable === proved.executable ? [] : ["executable"]),
    ...(Buffer.compare(stored.data, proved.data) === 0 ? [] : ["data"]),
    ...(hasRentEpoch && stored.rentEpoch !== proved.rentEpoch ? ["rentEpoch"] : []),
  ];
};

/**
 * A store that covers owners, mints or collections knows which accounts belong to them only from existing accounts.
 */
const coveredBy = (coverage: Coverage): ((account: Account) => boolean) => {
  if (coverage.kind === "whole") return () => true;
  const programs = new Set(coverage.programs);
  const accounts = new Set(coverage.accounts);
  return ({ address, programOwner }) =>
    programs.has(encodeAddress(programOwner)) || accounts.has(encodeAddress(address));
};
