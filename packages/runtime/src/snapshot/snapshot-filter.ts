import { decodeAddress, sysvarAddresses } from "@lamplight/codecs";
import type { FilteredCoverage } from "@lamplight/core";
import { claimingPrograms, type SelectionFilter } from "@lamplight/indexer";
import type { StageSelection } from "@lamplight/sources/snapshot";

/** The sets that a load is restricted to, as base58; null = everything. */
export type SnapshotFilter = FilteredCoverage | null;

export const selectionFilterOf = (filter: NonNullable<SnapshotFilter>): SelectionFilter => ({
  programs: filter.programs.map(decodeAddress),
  owners: filter.owners.map(decodeAddress),
  mints: filter.mints.map(decodeAddress),
  collections: filter.collections.map(decodeAddress),
});

/** Selects the accounts to keep while archives are read: those that the filter may need in any case. */
export const stageSelectionOf = (filter: SnapshotFilter): StageSelection => {
  if (filter === null) return { key: "everything", keepsData: null };
  const wanted = selectionFilterOf(filter);
  const programs = new Set([...claimingPrograms, ...wanted.programs].map(latin1));
  const addresses = new Set(
    [...wanted.owners, ...wanted.mints, ...wanted.collections, sysvarAddresses.clock].map(latin1),
  );
  return {
    key: JSON.stringify(filter),
    keepsData: (bytes, addressAt, programOwnerAt) =>
      programs.has(bytes.toString("latin1", programOwnerAt, programOwnerAt + 32)) ||
      addresses.has(bytes.toString("latin1", addressAt, addressAt + 32)),
  };
};

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
