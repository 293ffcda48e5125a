import { createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { encodeBase58 } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import {
  archivePieces,
  type ChainBatch,
  type ChainCounts,
  generateChain,
  recordBytes,
  writeManifest,
  writeStorage,
  type WrittenStorage,
} from "@lamplight/devchain";
import { AccountHasher } from "@lamplight/sources/snapshot";

/** Raise when the generator, the mix or the writer changes. */
const ARCHIVE_VERSION = 2;
const SEED = 11;

/** A snapshot archive of about so many generated accounts with a true lattice hash, made once per machine. */
export const sampleArchive = async (accounts: number, say: (line: string) => void): Promise<string> => {
  const folder = join(tmpdir(), `lamplight-bench-archive-${ARCHIVE_VERSION}-${accounts}`);
  mkdirSync(folder, { recursive: true });
  const known = (await readdir(folder)).find((name) => name.startsWith("snapshot-"));
  if (known !== undefined) return join(folder, known);
  say(`generating an archive of ${accounts} accounts`);
  const totals = measure(accounts);
  const manifest = writeManifest({ era: "4.1", ...totals });
  const fileName = `snapshot-${totals.slot}-${encodeBase58(totals.checksum)}.tar.zst`;
  const partial = join(folder, "partial");
  await pipeline(
    Readable.from(archivePieces({ slot: totals.slot, manifest, storages: storagesOf(accounts) })),
    createZstdCompress(),
    createWriteStream(partial),
  );
  renameSync(partial, join(folder, fileName));
  if (!existsSync(join(folder, fileName))) throw new Error("the archive was not written");
  return join(folder, fileName);
};

const chainOf = (accounts: number): Generator<ChainBatch> =>
  generateChain({ seed: SEED, counts: ledgerCounts(accounts), derivedAddresses: "hash-once" });

/**
 * The mix of a whole ledger by the sizes its accounts have on mainnet: of a thousand about 160 are next to empty
 * (wallets), 776 of the size of token accounts (these, and mints), 56 somewhat larger (metadata, editions, stakes), and
 * the rest anything. Metadata and editions bound the number of NFTs: one account in forty-five is a mint of one.
 */
const ledgerCounts = (accounts: number): ChainCounts => {
  const share = (perMille: number, least: number): number =>
    Math.max(least, Math.floor((accounts * perMille) / 1000));
  return {
    wallets: share(160, 10),
    fungibleMints: share(8, 10),
    tokenAccounts: share(695, 10),
    nativeTokenAccounts: share(10, 1),
    delegates: share(2, 3),
    collections: share(0.2, 2),
    nfts: share(22, 20),
    masterEditions: share(0.5, 3),
    printsOfFirst: share(0.25, 5),
    stakeAccounts: share(1.2, 12),
    voteAccounts: share(0.01, 3),
    others: share(18, 12),
  };
};

/** Validators write no write versions any more. */
const stored = (account: Account): Account => ({ ...account, writeVersion: 0 });

function* storagesOf(accounts: number): Generator<WrittenStorage> {
  let id = 0;
  for (const { slot, accounts: written } of chainOf(accounts)) {
    id += 1;
    yield { slot, id, content: writeStorage(written.map(stored)) };
  }
}

interface Totals {
  readonly slot: number;
  readonly capitalization: bigint;
  readonly storages: readonly { readonly slot: number; readonly id: number; readonly length: number }[];
  readonly latticeHash: Uint8Array;
  readonly checksum: Uint8Array;
}

/** Two passes over the chain: which write of an address is its last, then the sums over these. */
const measure = (accounts: number): Totals => {
  const lastWrites = new Map<string, number>();
  const storages: { slot: number; id: number; length: number }[] = [];
  let writes = 0;
  for (const { slot, accounts: written } of chainOf(accounts)) {
    let length = 0;
    for (const { address, data } of written) {
      lastWrites.set(Buffer.from(address).toString("latin1"), writes);
      writes += 1;
      length += recordBytes(data.length);
    }
    storages.push({ slot, id: storages.length + 1, length });
  }
  const hasher = new AccountHasher();
  let capitalization = 0n;
  let write = 0;
  for (const { accounts: written } of chainOf(accounts)) {
    for (const account of written) {
      const isLast = lastWrites.get(Buffer.from(account.address).toString("latin1")) === write;
      write += 1;
      if (!isLast || account.lamports === 0n) continue;
      capitalization += account.lamports;
      const lamports = Buffer.alloc(8);
      lamports.writeBigUInt64LE(account.lamports);
      hasher.addToLattice({ ...account, lamports, rentEpoch: null, executable: Number(account.executable) });
    }
  }
  const latticeHash = hasher.takeLattice();
  const slot = storages.at(-1)?.slot ?? 0;
  return { slot, capitalization, storages, latticeHash, checksum: hasher.hashBytes(latticeHash) };
};
