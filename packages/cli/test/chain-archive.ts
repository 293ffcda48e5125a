// A snapshot archive of a small generated chain, full and incremental, with true hashes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { encodeBase58, findProgramAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import {
  type ChainBatch,
  countsForAccounts,
  generateChain,
  writeArchive,
  writeManifest,
  writeStorage,
} from "@lamplight/devchain";
import { AccountHasher } from "@lamplight/sources/snapshot";

export interface ChainArchives {
  readonly full: string;
  readonly incremental: string;
  readonly slot: number;
  /** Every write, in order. */
  readonly writes: readonly Account[];
  /** The state of the slot. */
  readonly living: readonly Account[];
  /** A tree of seven changes, none of which a ledger snapshot reports, and one of none. */
  readonly trees: { readonly changed: Uint8Array; readonly unchanged: Uint8Array };
  /** An asset that names an account of a program without assets as its collection. */
  readonly stray: { readonly asset: Uint8Array; readonly owner: Uint8Array; readonly named: Uint8Array };
  /** A Core asset that was burnt: one zero byte is left. */
  readonly emptied: Uint8Array;
}

const trees = { changed: new Uint8Array(32).fill(0x71), unchanged: new Uint8Array(32).fill(0x72) };

const stray = {
  asset: new Uint8Array(32).fill(0x73),
  owner: new Uint8Array(32).fill(0x74),
  named: new Uint8Array(32).fill(0x75),
};

const emptied = new Uint8Array(32).fill(0x76);

const emptiedAccount = (slot: number): Account => ({
  address: emptied,
  programOwner: programAddresses.mplCore,
  lamports: 897_840n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: Uint8Array.of(0),
  slot,
  writeVersion: 0,
});

const strayAccounts = (slot: number): readonly Account[] => {
  const name = Buffer.from("\x05\0\0\0stray");
  const data = Buffer.concat([
    Uint8Array.of(1), // an asset
    stray.owner,
    Uint8Array.of(2), // of a collection
    stray.named,
    name,
    name,
    Uint8Array.of(0),
  ]);
  const parts = { lamports: 1_000_000n, executable: false, rentEpoch: 2n ** 64n - 1n, slot, writeVersion: 0 };
  return [
    { ...parts, address: stray.asset, programOwner: programAddresses.mplCore, data },
    { ...parts, address: stray.named, programOwner: stray.owner, data: new Uint8Array(30).fill(7) },
  ];
};

/** The head of a merkle tree account, which is all that anybody reads of one. */
const treeAccount = (address: Uint8Array, seq: number, slot: number): Account => {
  const data = Buffer.alloc(200);
  data[0] = 1; // an initialised tree
  data.writeUInt32LE(64, 2);
  data.writeUInt32LE(14, 6);
  data.set(findProgramAddress([address], programAddresses.bubblegum).address, 10);
  data.writeBigUInt64LE(BigInt(slot), 42);
  data.writeBigUInt64LE(BigInt(seq), 56);
  return {
    address,
    programOwner: programAddresses.splAccountCompression,
    lamports: 1_000_000n,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
    data,
    slot,
    writeVersion: 0,
  };
};

/** The chain is cut in two somewhere in its changes: the rest goes into the incremental archive. */
export const writeChainArchives = (folder: string, accounts: number): ChainArchives => {
  const batches = [
    ...generateChain({
      seed: 5,
      counts: countsForAccounts(accounts),
      accountsPerSlot: 100,
      derivedAddresses: "hash-once",
    }),
  ].map((batch) => ({
    ...batch,
    accounts: batch.accounts.map((account) => ({ ...account, writeVersion: 0 })),
  }));
  const last = batches.at(-1) as (typeof batches)[number];
  last.accounts.push(treeAccount(trees.changed, 7, last.slot), treeAccount(trees.unchanged, 0, last.slot));
  last.accounts.push(...strayAccounts(last.slot), emptiedAccount(last.slot));
  const cut = Math.floor(batches.length * 0.8);
  const full = writeOne(folder, batches.slice(0, cut), []);
  const incremental = writeOne(folder, batches.slice(cut), batches.slice(0, cut));
  const slot = batches.at(-1)?.slot ?? 0;
  const writes = batches.flatMap((batch) => batch.accounts);
  return { full, incremental, slot, writes, living: livingOf(batches), trees, stray, emptied };
};

const livingOf = (batches: readonly ChainBatch[]): readonly Account[] => {
  const last = new Map<string, Account>();
  for (const { accounts } of batches) {
    for (const account of accounts) last.set(Buffer.from(account.address).toString("hex"), account);
  }
  return [...last.values()].filter(({ lamports }) => lamports > 0n);
};

const writeOne = (folder: string, batches: readonly ChainBatch[], base: readonly ChainBatch[]): string => {
  const slot = batches.at(-1)?.slot ?? 0;
  const baseSlot = base.at(-1)?.slot;
  const storages = batches.map(({ accounts, ...batch }, index) => ({
    slot: batch.slot,
    id: base.length + index,
    content: writeStorage(accounts),
  }));
  const hasher = new AccountHasher();
  let capitalization = 0n;
  for (const account of livingOf([...base, ...batches])) {
    const lamports = Buffer.alloc(8);
    lamports.writeBigUInt64LE(account.lamports);
    hasher.addToLattice({ ...account, lamports, rentEpoch: null, executable: Number(account.executable) });
    capitalization += account.lamports;
  }
  const latticeHash = hasher.takeLattice();
  const manifest = writeManifest({
    era: "4.1",
    slot,
    capitalization,
    latticeHash,
    storages: storages.map(({ content, ...storage }) => ({ ...storage, length: content.length })),
    // As a running validator writes it; what was shrunk or packed since the full archive has another id there.
    baseStorages: base.map((batch, index) => ({ slot: batch.slot, id: 10_000 + index, length: 8 })),
  });
  const name = `${slot}-${encodeBase58(hasher.hashBytes(latticeHash))}.tar.zst`;
  const path = join(
    folder,
    baseSlot === undefined ? `snapshot-${name}` : `incremental-snapshot-${baseSlot}-${name}`,
  );
  writeFileSync(path, zstdCompressSync(writeArchive({ slot, manifest, storages })));
  return path;
};
