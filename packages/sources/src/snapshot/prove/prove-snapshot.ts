import { encodeBase58 } from "@lamplight/codecs";
import type { Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { AccountHasher } from "../hash/account-hasher.ts";
import type { MergeCounts } from "../merge/merge-partition.ts";
import type { StagedSnapshot } from "../stage/stage-snapshot.ts";
import type { ManifestSummary, StagedArchive } from "../stage/stage-state.ts";
import type { ArchiveSource } from "../archive/archive-source.ts";
import { bankHashOfLattice } from "./bank-hash.ts";
import type { HashPlan } from "./hash-plan.ts";

/** Totals and hashes of a merge. */
export interface MergeTotals {
  readonly counts: MergeCounts;
  readonly lamports: bigint;
  readonly fullLamports: bigint;
  readonly lattice: Uint8Array | null;
  readonly fullMerkleRoot: Uint8Array | null;
  readonly incrementalMerkleRoot: Uint8Array | null;
}

/** The checks of a snapshot that passed. Hashes are base58. */
export interface SnapshotProof {
  readonly slot: Slot;
  readonly epoch: number;
  readonly blockHeight: number;
  readonly parentSlot: Slot;
  readonly blockhash: string | null;
  readonly bankHash: string;
  readonly genesisCreationTime: bigint;
  readonly capitalization: bigint;
  readonly storages: number;
  readonly counts: MergeCounts;
  /** `proved`, or why not. */
  readonly accountsHash: string;
  /** Checksum of the lattice hash; null when the manifest has none. */
  readonly latticeChecksum: string | null;
  /** Whether the accounts were hashed with their rent epoch; null when no lattice hash was computed. */
  readonly latticeForm: "with-rent-epoch" | "without-rent-epoch" | null;
  readonly merkleRoot: string | null;
  /** Whether the bank hash follows from the lattice hash; null where the era does not let it. */
  readonly bankHashProved: boolean | null;
  /** The part of the manifest after the accounts that could not be read; null = all of it was. */
  readonly manifestFault: string | null;
}

/** @throws LamplightError `SOURCE__SNAPSHOT_MISMATCH` naming what differs */
export const proveSnapshot = (
  staged: StagedSnapshot,
  plan: HashPlan,
  totals: MergeTotals,
  hashes: "full" | "basic" | "filtered",
  hasher: AccountHasher,
): SnapshotProof => {
  const { full, incremental } = staged.state;
  const { manifest } = incremental ?? full;
  const source = staged.sources.incremental ?? staged.sources.full;
  const fullPlace = staged.sources.full.place;
  compare(fullPlace, "capitalization", full.manifest.capitalization, totals.fullLamports);
  compare(source.place, "capitalization", manifest.capitalization, totals.lamports);
  proveNames(staged, plan, hasher);
  if (totals.lattice !== null && plan.latticeHash !== null) {
    compare(
      source.place,
      "lattice hash",
      checksumOf(plan.latticeHash, hasher),
      checksumOf(totals.lattice, hasher),
    );
  }
  if (totals.fullMerkleRoot !== null) proveMerkle(staged, totals);
  const bankHashProved = proveBankHash(source.place, manifest, plan);
  return {
    slot: manifest.slot,
    epoch: manifest.epoch,
    blockHeight: manifest.blockHeight,
    parentSlot: manifest.parentSlot,
    blockhash: manifest.lastBlockhash === null ? null : encodeBase58(manifest.lastBlockhash),
    bankHash: encodeBase58(manifest.bankHash),
    genesisCreationTime: manifest.genesisCreationTime,
    capitalization: manifest.capitalization,
    storages: full.storages + (incremental?.storages ?? 0),
    counts: totals.counts,
    accountsHash: verdictOf(hashes, plan),
    latticeChecksum: plan.checksum,
    latticeForm: totals.lattice === null ? null : plan.lattice,
    merkleRoot:
      totals.fullMerkleRoot === null
        ? null
        : encodeBase58(totals.incrementalMerkleRoot ?? totals.fullMerkleRoot),
    bankHashProved,
    manifestFault: manifest.extras.fault,
  };
};

const verdictOf = (hashes: "full" | "basic" | "filtered", plan: HashPlan): string => {
  if (hashes === "filtered") return "not proven: a filtered load does not keep every account";
  if (hashes === "basic") return "not proven: left out on request";
  return plan.unavailable === null ? "proved" : `not proven: ${plan.unavailable}`;
};

/** The name carries the checksum of the lattice hash in the manifest since 2.2. */
const proveNames = ({ state, sources }: StagedSnapshot, plan: HashPlan, hasher: AccountHasher): void => {
  if (plan.lattice !== "without-rent-epoch") return;
  for (const [archive, source] of [
    [state.full, sources.full],
    [state.incremental, sources.incremental],
  ] as readonly (readonly [StagedArchive | null, ArchiveSource | null])[]) {
    const lattice = archive?.manifest.extras.latticeHash ?? null;
    const named = source?.name.hash ?? null;
    if (source === null || lattice === null || named === null) continue;
    compare(source.place, "hash in its name", named, checksumOf(lattice, hasher));
  }
};

/** The full archive is compared with its own accounts, the incremental one with those that it adds. */
const proveMerkle = ({ state, sources }: StagedSnapshot, totals: MergeTotals): void => {
  const root = encodeBase58(totals.fullMerkleRoot as Uint8Array);
  const { accountsHash } = state.full.manifest;
  if (accountsHash !== null) compare(sources.full.place, "accounts hash", encodeBase58(accountsHash), root);
  if (sources.full.name.hash !== null)
    compare(sources.full.place, "hash in its name", sources.full.name.hash, root);
  const { incremental } = state;
  if (incremental === null || sources.incremental === null || totals.incrementalMerkleRoot === null) return;
  const { place, name } = sources.incremental;
  const incrementalRoot = encodeBase58(totals.incrementalMerkleRoot);
  if (name.hash !== null) compare(place, "hash in its name", name.hash, incrementalRoot);
  const persistence = incremental.manifest.extras.incrementalPersistence;
  if (persistence === null) return;
  compare(place, "hash of its own accounts", encodeBase58(persistence.incrementalHash), incrementalRoot);
  compare(place, "hash of the full archive", encodeBase58(persistence.fullHash), root);
  compare(place, "capitalization of the full archive", persistence.fullCapitalization, totals.fullLamports);
};

/** Where the bank hash contains the lattice hash, it follows from four fields of the manifest. */
const proveBankHash = (place: string, manifest: ManifestSummary, plan: HashPlan): boolean | null => {
  const isOlder = plan.lattice !== "without-rent-epoch" || manifest.accountsDeltaHash !== null;
  const bankHash = isOlder ? null : bankHashOfLattice(manifest);
  if (bankHash === null) return null;
  compare(place, "bank hash", encodeBase58(manifest.bankHash), encodeBase58(bankHash));
  return true;
};

const checksumOf = (lattice: Uint8Array, hasher: AccountHasher): string =>
  encodeBase58(hasher.hashBytes(lattice));

const compare = (archive: string, what: string, expected: bigint | string, found: bigint | string): void => {
  if (expected === found) return;
  throw new LamplightError("SOURCE__SNAPSHOT_MISMATCH", {
    archive,
    what,
    expected: String(expected),
    found: String(found),
  });
};
