import { encodeBase58 } from "@lamplight/codecs";
import { bankHashOfLattice } from "./bank-hash.ts";
import type { MergeSettings } from "../merge/merge-messages.ts";
import type { StagedSnapshot } from "../stage/stage-snapshot.ts";
import type { AccountHasher } from "../hash/account-hasher.ts";

/** Hashes that can be compared, by the version that wrote the archive. */
export interface HashPlan {
  readonly lattice: MergeSettings["lattice"];
  /** The lattice sum that is expected. */
  readonly latticeHash: Uint8Array | null;
  /** Base58 of the checksum of the lattice hash, which the name of the archive contains since 2.2. */
  readonly checksum: string | null;
  readonly merkle: boolean;
  /** The reason why no hash can be compared; null when one can. */
  readonly unavailable: string | null;
}

/**
 * Since 2.2 the lattice hash does not cover the rent epoch, and the name of an archive contains its checksum. In 2.0 and
 * 2.1 it covers the rent epoch, and the name still contains the merkle root of older versions.
 */
export const planHashes = ({ state, sources }: StagedSnapshot, hasher: AccountHasher): HashPlan => {
  const { manifest } = state.incremental ?? state.full;
  const name = (sources.incremental ?? sources.full).name;
  const { latticeHash } = manifest.extras;
  if (latticeHash === null) {
    const isKnown = state.full.manifest.accountsHash !== null || sources.full.name.hash !== null;
    const unavailable = isKnown
      ? null
      : (manifest.extras.fault ?? "neither the manifest nor the name has an accounts hash");
    return { lattice: null, latticeHash: null, checksum: null, merkle: isKnown, unavailable };
  }
  const checksum = encodeBase58(hasher.hashBytes(latticeHash));
  const bankHash = bankHashOfLattice(manifest);
  const isLatticeEra =
    name.hash === checksum || (bankHash !== null && Buffer.compare(bankHash, manifest.bankHash) === 0);
  const hasMerkleEra = state.full.manifest.accountsHash !== null && !isLatticeEra;
  return {
    lattice: hasMerkleEra ? "with-rent-epoch" : "without-rent-epoch",
    latticeHash,
    checksum,
    merkle: hasMerkleEra,
    unavailable: null,
  };
};
