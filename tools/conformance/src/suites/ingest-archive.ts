import { createHash } from "node:crypto";
import { join } from "node:path";
import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import {
  AccountHasher,
  accountsOf,
  clearStage,
  findSnapshotSources,
  mergeIn,
  openArchiveSource,
  readArchive,
  SnapshotMerge,
  type SnapshotManifest,
  stageSnapshot,
  type StoragePlace,
} from "@lamplight/sources/snapshot";
import { matchExpected } from "../compare/match-expected.ts";
import { isMembers, type Members } from "../read-json.ts";

export interface Archives {
  readonly full: string;
  readonly incremental: string | null;
}

/** Reads the archives, merges them, proves their hashes, and compares everything the expectation names. */
export const archiveDifferences = async (
  archives: Archives,
  expected: Members,
  work: string,
): Promise<readonly string[]> => {
  const read = [await readStorages(archives.full)];
  if (archives.incremental !== null) read.push(await readStorages(archives.incremental));
  const merged = await mergeArchives(archives, join(work, "stage"));
  const { manifest } = read.at(-1) as ReadArchive;
  const { extras } = manifest;
  const found: Members = {
    slot: manifest.slot,
    epoch: manifest.writtenEpoch,
    parentSlot: manifest.parentSlot,
    blockHeight: manifest.blockHeight,
    bankHash: encodeBase58(manifest.bankHash),
    lastBlockhash: base58OrNull(manifest.lastBlockhash),
    genesisCreationTime: manifest.genesisCreationTime,
    capitalization: manifest.capitalization.toString(),
    sumOfLamports: merged.lamports.toString(),
    storages: read.map(({ storages }) => storages),
    recordsTotal: merged.records,
    addresses: merged.addresses,
    liveAccounts: merged.accounts.size,
    tombstones: merged.tombstones,
    latticeHash: latticeOf(merged, extras.latticeHash),
    incrementalPersistence: persistenceOf(manifest),
    blockId: base58OrNull(extras.blockId),
  };
  const differences: string[] = [];
  for (const [name, value] of Object.entries(found)) {
    if (!Object.hasOwn(expected, name)) continue;
    const wanted = expected[name];
    differences.push(...matchExpected(namedIn(value, wanted), namedIn(wanted, value), `/${name}`));
  }
  if (merged.accountsHash !== "proved") differences.push(`accounts hash: ${merged.accountsHash}`);
  return [...differences, ...accountDifferences(merged.accounts, expected["accounts"])];
};

/** Members that both sides have: an expectation may leave some of a group out. */
const namedIn = (value: unknown, other: unknown): unknown => {
  if (!isMembers(value) || !isMembers(other)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(other, name)));
};

interface ReadArchive {
  readonly manifest: SnapshotManifest;
  readonly storages: readonly Members[];
}

const readStorages = async (path: string): Promise<ReadArchive> => {
  const opened: { readonly place: StoragePlace; records: number }[] = [];
  const { manifest } = await readArchive(await openArchiveSource(path), {
    onManifest: () => {},
    onProgress: () => {},
    openStorage: (place) => {
      const one = { place, records: 0 };
      opened.push(one);
      return () => {
        one.records += 1;
      };
    },
  });
  const storages = opened.map(({ place, records }) => ({
    file: `accounts/${place.slot}.${place.id}`,
    tarSize: place.sizeBytes,
    manifestLength: manifest.storages.get(`${place.slot}.${place.id}`) ?? null,
    records,
  }));
  return { manifest, storages };
};

interface Merged {
  /** By base58 address: the columns of the expectation, but the address. */
  readonly accounts: ReadonlyMap<string, readonly unknown[]>;
  readonly lamports: bigint;
  readonly records: number;
  readonly addresses: number;
  readonly tombstones: number;
  readonly accountsHash: string;
  readonly latticeForm: string | null;
  /** Over the accounts found, without their rent epochs. */
  readonly checksum: string;
}

const mergeArchives = async (archives: Archives, folder: string): Promise<Merged> => {
  clearStage(folder);
  const sources = await findSnapshotSources(archives.full, archives.incremental);
  const staged = await stageSnapshot(sources, {
    folder,
    selection: { key: "everything", keepsData: null },
    onProgress: () => {},
  });
  const merge = new SnapshotMerge(staged, { hashes: "full", run: mergeIn(1) });
  const hasher = new AccountHasher();
  const accounts = new Map<string, readonly unknown[]>();
  let lamports = 0n;
  for await (const batch of merge.batches()) {
    for (const account of accountsOf(batch)) {
      accounts.set(encodeAddress(account.address), columnsOf(account));
      hasher.addToLattice(hashedFields(account));
      lamports += account.lamports;
    }
  }
  const { counts, accountsHash, latticeForm } = merge.prove();
  clearStage(folder);
  const checksum = encodeBase58(hasher.hashBytes(hasher.takeLattice()));
  return { ...counts, accounts, lamports, accountsHash, latticeForm, checksum };
};

/** As the expectation lists an account, after its address. */
export const columnsOf = (account: Account): readonly unknown[] => [
  account.lamports.toString(),
  encodeAddress(account.programOwner),
  Number(account.executable),
  account.data.length,
  account.slot,
  createHash("sha256").update(account.data).digest("hex").slice(0, 16),
];

const hashedFields = (account: Account): Parameters<AccountHasher["addToLattice"]>[0] => {
  const lamports = new Uint8Array(8);
  new DataView(lamports.buffer).setBigUint64(0, account.lamports, true);
  const { data, programOwner, address } = account;
  return { lamports, rentEpoch: null, data, executable: Number(account.executable), programOwner, address };
};

const latticeOf = (merged: Merged, inManifest: Uint8Array | null): Members => ({
  presentInManifest: inManifest !== null,
  recordForm: merged.latticeForm?.replace(/-rent-epoch$/, " rent_epoch") ?? null,
  checksumBase58: inManifest === null ? null : encodeBase58(new AccountHasher().hashBytes(inManifest)),
  checksumWithoutRentEpoch: merged.checksum,
});

const persistenceOf = ({ extras }: SnapshotManifest): Members | null => {
  const said = extras.incrementalPersistence;
  if (said === null) return null;
  return {
    fullSlot: said.fullSlot,
    fullHash: encodeBase58(said.fullHash),
    fullCapitalization: said.fullCapitalization.toString(),
    incrementalHash: encodeBase58(said.incrementalHash),
    incrementalCapitalization: said.incrementalCapitalization.toString(),
  };
};

const base58OrNull = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : encodeBase58(bytes);

/** Exactly the expected accounts, by address. */
export const accountDifferences = (
  found: ReadonlyMap<string, readonly unknown[]>,
  expected: unknown,
): readonly string[] => {
  if (!Array.isArray(expected)) return [];
  const differences: string[] = [];
  const seen = new Set<string>();
  for (const [address, ...columns] of expected as readonly (readonly [string, ...unknown[]])[]) {
    seen.add(address);
    const account = found.get(address);
    if (account === undefined) differences.push(`account ${address} is missing`);
    else differences.push(...matchExpected(account, columns, `/accounts/${address}`));
  }
  for (const address of found.keys()) {
    if (!seen.has(address)) differences.push(`account ${address} is not expected`);
  }
  return differences;
};
