// Small archives for tests, with hashes from another implementation of BLAKE3 and winners from the plainest of models.

import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { encodeBase58 } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import {
  type ManifestEra,
  type ManifestParts,
  writeArchive,
  writeManifest,
  writeStorage,
} from "@lamplight/devchain";
import { blake3 } from "@noble/hashes/blake3.js";

export type StoredAccount = Omit<Account, "slot">;

/** One storage: its accounts in the order of their writes, and what lies behind them. */
export interface SyntheticStorage {
  readonly slot: number;
  readonly id: number;
  readonly accounts: readonly StoredAccount[];
  /** Records behind the valid bytes. */
  readonly tail?: readonly StoredAccount[];
}

export const addressOf = (name: string | number): Uint8Array =>
  new Uint8Array(hash("sha256", `address ${name}`, "buffer"));

export const storedAccount = (name: string | number, parts: Partial<StoredAccount> = {}): StoredAccount => ({
  address: addressOf(name),
  programOwner: addressOf("program"),
  lamports: 1_000_000n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data: new Uint8Array(hash("sha256", `data ${name}`, "buffer")),
  writeVersion: 0,
  ...parts,
});

/** A closed account as validators store it. */
export const tombstone = (name: string | number, parts: Partial<StoredAccount> = {}): StoredAccount =>
  storedAccount(name, {
    lamports: 0n,
    data: new Uint8Array(0),
    programOwner: new Uint8Array(32),
    rentEpoch: 0n,
    ...parts,
  });

interface Ranked extends Account {
  readonly id: number;
  readonly position: number;
}

/** Winners by the rules of the sheet, one after the other. */
const naiveWinners = (storages: readonly SyntheticStorage[]): ReadonlyMap<string, Account> => {
  const winners = new Map<string, Ranked>();
  for (const { slot, id, accounts } of storages) {
    for (const [position, stored] of accounts.entries()) {
      const account: Ranked = { ...stored, slot, id, position };
      const key = Buffer.from(stored.address).toString("hex");
      const known = winners.get(key);
      if (known === undefined || isNewer(account, known)) winners.set(key, account);
    }
  }
  return winners;
};

const isNewer = (a: Ranked, b: Ranked): boolean => {
  if (a.slot !== b.slot) return a.slot > b.slot;
  if (a.id === b.id) return a.position > b.position;
  return a.writeVersion === b.writeVersion ? a.id > b.id : a.writeVersion > b.writeVersion;
};

export const livingOf = (storages: readonly SyntheticStorage[]): readonly Account[] =>
  [...naiveWinners(storages).values()].filter(({ lamports }) => lamports > 0n);

const u64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

const hashInput = (account: Account, withRentEpoch: boolean): Uint8Array =>
  Buffer.concat([
    u64(account.lamports),
    withRentEpoch ? u64(account.rentEpoch) : Buffer.alloc(0),
    account.data,
    Uint8Array.of(Number(account.executable)),
    account.programOwner,
    account.address,
  ]);

const latticeOf = (accounts: readonly Account[], withRentEpoch: boolean): Uint8Array => {
  const sum = new Uint16Array(1024);
  for (const account of accounts) {
    const words = new Uint16Array(blake3(hashInput(account, withRentEpoch), { dkLen: 2048 }).slice().buffer);
    for (let index = 0; index < 1024; index += 1)
      sum[index] = (sum[index] as number) + (words[index] as number);
  }
  return new Uint8Array(sum.buffer);
};

/** Merkle root over accounts and, in an incremental archive, tombstones. */
export const merkleRootOf = (accounts: readonly Account[]): Uint8Array => {
  let level: Uint8Array[] = accounts
    .toSorted((a, b) => Buffer.compare(a.address, b.address))
    .map((account) => blake3(account.lamports === 0n ? account.address : hashInput(account, true)));
  do {
    const next: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 16) {
      next.push(hash("sha256", Buffer.concat(level.slice(at, at + 16)), "buffer"));
    }
    level = next;
  } while (level.length > 1);
  return level[0] ?? hash("sha256", Buffer.alloc(0), "buffer");
};

export interface SyntheticOptions {
  readonly era?: ManifestEra;
  /** The storages of the full archive, if this one is incremental. */
  readonly base?: { readonly slot: number; readonly storages: readonly SyntheticStorage[] };
  readonly manifest?: Partial<ManifestParts>;
  readonly version?: string;
  /** The archive contains these in place of its storages; its manifest and name stay those of the right ones. */
  readonly archived?: readonly SyntheticStorage[];
}

export interface SyntheticArchive {
  readonly fileName: string;
  readonly tar: Buffer;
}

/** An archive that is right in every respect, unless `manifest` says otherwise. */
export const syntheticArchive = (
  slot: number,
  storages: readonly SyntheticStorage[],
  { era = "2.2", base, manifest = {}, version = "1.2.0", archived = storages }: SyntheticOptions = {},
): SyntheticArchive => {
  const living = livingOf([...(base?.storages ?? []), ...storages]);
  const hasRentEpoch = era === "2.1";
  const isMerkle = era === "1.14" || era === "1.18" || era === "2.1";
  const lattice = latticeOf(living, hasRentEpoch);
  const ownRoot = merkleRootOf(base === undefined ? living : [...naiveWinners(storages).values()]);
  const fullLiving = livingOf(base?.storages ?? []);
  const parts: ManifestParts = {
    era,
    slot,
    capitalization: living.reduce((sum, { lamports }) => sum + lamports, 0n),
    storages: storages.map(({ accounts, ...place }) => ({
      slot: place.slot,
      id: place.id,
      length: validBytes(accounts),
    })),
    ...(era === "1.14" || era === "1.18" ? {} : { latticeHash: lattice, baseStorages: listedBase(base) }),
    ...(isMerkle && base === undefined ? { accountsHash: ownRoot } : {}),
    ...(isMerkle && base !== undefined && era !== "1.14"
      ? {
          incrementalPersistence: {
            fullSlot: base.slot,
            fullHash: merkleRootOf(fullLiving),
            fullCapitalization: fullLiving.reduce((sum, { lamports }) => sum + lamports, 0n),
            incrementalHash: ownRoot,
            incrementalCapitalization: 0n,
          },
        }
      : {}),
    ...manifest,
  };
  const name = encodeBase58(isMerkle ? ownRoot : blake3(lattice));
  const written = archived.map(({ slot: ofSlot, id, accounts, tail = [] }) => ({
    slot: ofSlot,
    id,
    content: Buffer.concat([writeStorage(accounts), writeStorage(tail)]),
  }));
  return {
    fileName:
      base === undefined
        ? `snapshot-${slot}-${name}.tar.zst`
        : `incremental-snapshot-${base.slot}-${slot}-${name}.tar.zst`,
    tar: writeArchive({ slot, manifest: writeManifest(parts), storages: written, version }),
  };
};

/**
 * A running validator lists these of its base, and does not archive them: some as in the full archive, some that were
 * shrunk or packed under a new id since.
 */
const listedBase = (base: SyntheticOptions["base"]): ManifestParts["storages"] =>
  (base?.storages ?? []).map(({ slot, id, accounts }, index) => ({
    slot,
    id: index % 2 === 0 ? id : id + 1000,
    length: validBytes(accounts),
  }));

/** Bytes of a storage without the padding behind the last record, as validators count. */
const validBytes = (accounts: readonly StoredAccount[]): number => {
  const last = accounts.at(-1);
  const whole = writeStorage(accounts).length;
  return last === undefined ? 0 : whole - ((8 - (last.data.length % 8)) % 8);
};

/** A folder of its own for files of a test. */
export class Workplace {
  readonly folder: string = mkdtempSync(join(tmpdir(), "lamplight-snapshot-"));

  save(fileName: string, bytes: Uint8Array): string {
    const path = join(this.folder, fileName);
    writeFileSync(path, bytes);
    return path;
  }

  /** Compresses and saves. */
  saveArchive({ fileName, tar }: SyntheticArchive): string {
    return this.save(fileName, zstdCompressSync(tar));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
