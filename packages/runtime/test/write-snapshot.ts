// A ledger snapshot of a simulated chain at its finalized slot, with true hashes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Slot } from "@lamplight/core";
import { type ChainSimulation, writeArchive, writeManifest, writeStorage } from "@lamplight/devchain";
import { AccountHasher } from "@lamplight/sources/snapshot";
import { finalizedAccounts } from "./finalized-accounts.ts";

/** @param blockhash - base58 text; default: that of the chain */
export const writeSnapshot = (folder: string, simulation: ChainSimulation, blockhash?: string): Slot => {
  const { genesis, finalized: slot } = simulation;
  const accounts = finalizedAccounts(simulation).map((account) => ({ ...account, writeVersion: 0 }));
  const slots = [...new Set(accounts.map((account) => account.slot))].toSorted((a, b) => a - b);
  const storages = slots.map((at, id) => ({
    slot: at,
    id,
    content: writeStorage(accounts.filter((account) => account.slot === at)),
  }));
  const hasher = new AccountHasher();
  let capitalization = 0n;
  for (const { lamports, executable, ...account } of accounts) {
    if (lamports === 0n) continue;
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(lamports);
    hasher.addToLattice({ ...account, lamports: bytes, rentEpoch: null, executable: Number(executable) });
    capitalization += lamports;
  }
  const latticeHash = hasher.takeLattice();
  const manifest = writeManifest({
    era: "4.1",
    slot,
    blockhash: decodeAddress(blockhash ?? simulation.block(slot)?.blockhash ?? genesis.blockhash),
    capitalization,
    latticeHash,
    storages: storages.map(({ content, ...storage }) => ({ ...storage, length: content.length })),
  });
  const name = `snapshot-${slot}-${encodeBase58(hasher.hashBytes(latticeHash))}.tar`;
  writeFileSync(join(folder, name), writeArchive({ slot, manifest, storages }));
  return slot;
};
