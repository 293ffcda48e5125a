import { hash } from "node:crypto";
import type { ManifestSummary } from "../stage/stage-state.ts";

/**
 * The expected bank hash, for archives whose bank hash contains the lattice hash of the accounts (2.2 and later). Null
 * where the manifest lacks a value that it needs.
 */
export const bankHashOfLattice = (manifest: ManifestSummary): Buffer | null => {
  const { lastBlockhash, parentBankHash, signatureCount, hardForks, parentSlot, slot } = manifest;
  const { latticeHash } = manifest.extras;
  if (latticeHash === null || lastBlockhash === null) return null;
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(signatureCount);
  const bankHash = sha256(sha256(parentBankHash, count, lastBlockhash), latticeHash);
  const forks = hardForks.filter((fork) => fork.slot > parentSlot && fork.slot <= slot);
  if (forks.length === 0) return bankHash;
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(
    BigInt.asUintN(
      64,
      forks.reduce((total, fork) => total + fork.count, 0n),
    ),
  );
  return sha256(bankHash, sum);
};

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash("sha256", Buffer.concat(parts), "buffer");
