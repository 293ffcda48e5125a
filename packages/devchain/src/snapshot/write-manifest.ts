import { hash } from "node:crypto";
import { ByteWriter } from "../encode/byte-writer.ts";

/** A storage as the manifest lists it. */
export interface ListedStorage {
  readonly slot: number;
  readonly id: number;
  /** Valid bytes. */
  readonly length: number;
}

/**
 * The version of the manifest, which decides the fields after the table of storages. From 4.4 on, the table itself is
 * empty.
 */
export type ManifestEra = "1.14" | "1.18" | "2.1" | "2.2" | "4.1" | "4.4";

export interface ManifestParts {
  readonly era: ManifestEra;
  readonly slot: number;
  /** 32 bytes: hash of the slot's block; default: one that follows from its number. */
  readonly blockhash?: Uint8Array;
  readonly capitalization: bigint;
  readonly storages: readonly ListedStorage[];
  /**
   * Storages of an incremental archive's bank at or below the base slot. A running validator from 2.0 on lists them, and
   * leaves them out of the archive; the ledger tool and older validators do not list them.
   */
  readonly baseStorages?: readonly ListedStorage[];
  /** 2048 bytes; 2.1 and later. */
  readonly latticeHash?: Uint8Array;
  /** Merkle root, 32 bytes; up to 2.1. */
  readonly accountsHash?: Uint8Array;
  readonly genesisCreationTime?: bigint;
  /** Null on a chain with Alpenglow. Default 12 500. */
  readonly hashesPerTick?: number | null;
  readonly hardForks?: readonly { readonly slot: number; readonly count: bigint }[];
  readonly incrementalPersistence?: {
    readonly fullSlot: number;
    readonly fullHash: Uint8Array;
    readonly fullCapitalization: bigint;
    readonly incrementalHash: Uint8Array;
    readonly incrementalCapitalization: bigint;
  };
  /** Vote accounts and stake delegations in every stakes structure: 0 leaves them all empty. */
  readonly stakes?: number;
}

class Writer extends ByteWriter {
  override u64(...values: readonly (number | bigint)[]): this {
    for (const value of values) super.u64(value);
    return this;
  }

  optionBytes(bytes: Uint8Array | undefined): this {
    return this.option(bytes ?? null, (value) => this.bytes(value));
  }

  /** A list with a length of 64 bits. */
  each<T>(items: readonly T[], write: (item: T) => void): this {
    this.u64(items.length);
    for (const item of items) write(item);
    return this;
  }
}

/** Eras whose bank hash contains the lattice hash. */
const latticeEras: ReadonlySet<ManifestEra> = new Set<ManifestEra>(["2.2", "4.1", "4.4"]);

const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const parentHash = filled(3);
const SIGNATURE_COUNT = 77;

/** The blockhash of a slot in this chain. */
const blockhashOf = (slot: number): Uint8Array => hash("sha256", `blockhash ${slot}`, "buffer");

const hashIn = ({ slot, blockhash }: ManifestParts): Uint8Array => blockhash ?? blockhashOf(slot);

/** The bank hash of versions in which it rests on the lattice hash. */
const bankHashOf = (blockhash: Uint8Array, latticeHash: Uint8Array): Uint8Array => {
  const count = new Writer().u64(SIGNATURE_COUNT).finish();
  const inner = hash("sha256", Buffer.concat([parentHash, count, blockhash]), "buffer");
  return hash("sha256", Buffer.concat([inner, latticeHash]), "buffer");
};

/** The manifest of a snapshot: bank fields, table of storages, and what the era appends. */
export const writeManifest = (parts: ManifestParts): Buffer => {
  const writer = new Writer();
  const hasLatticeBankHash = latticeEras.has(parts.era) && parts.latticeHash !== undefined;
  const bankHash = hasLatticeBankHash ? bankHashOf(hashIn(parts), parts.latticeHash) : filled(4);
  writeBank(writer, parts, bankHash);
  const listed = parts.era === "4.4" ? [] : [...(parts.baseStorages ?? []), ...parts.storages];
  writer.each(storagesBySlot(listed), ([slot, storages]) =>
    writer.u64(slot).each(storages, ({ id, length }) => writer.u64(id, length)),
  );
  writer.u64(0, parts.slot);
  writer.bytes(hasLatticeBankHash ? filled(0) : filled(5)).bytes(parts.accountsHash ?? filled(0));
  writer
    .zeros(5 * 8)
    .u64(0)
    .u64(0); // statistics, historical roots
  writeTail(writer, parts);
  return Buffer.from(writer.finish());
};

const storagesBySlot = (
  storages: readonly ListedStorage[],
): readonly (readonly [number, ListedStorage[]])[] => {
  const bySlot = new Map<number, ListedStorage[]>();
  for (const storage of storages) {
    const known = bySlot.get(storage.slot);
    if (known === undefined) bySlot.set(storage.slot, [storage]);
    else known.push(storage);
  }
  return [...bySlot];
};

const writeBank = (writer: Writer, parts: ManifestParts, bankHash: Uint8Array): void => {
  const { slot, stakes = 0, hashesPerTick = 12_500 } = parts;
  writer.u64(9).optionBytes(hashIn(parts));
  writer.each([slot - 1, slot], (queued) =>
    writer.bytes(queued === slot ? hashIn(parts) : blockhashOf(queued)).u64(5000, queued, 1_700_000_000),
  );
  writer.u64(300);
  writer.each([slot - 2, slot - 1], (ancestor) => writer.u64(ancestor, 0));
  writer
    .bytes(bankHash)
    .bytes(parentHash)
    .u64(slot - 1);
  writer.each(parts.hardForks ?? [], (fork) => writer.u64(fork.slot, fork.count));
  writer.u64(1000, 64 * slot, SIGNATURE_COUNT, parts.capitalization, 64 * (slot + 1));
  writer.optionBytes(hashesPerTick === null ? undefined : new Writer().u64(hashesPerTick).finish());
  writer.u64(64).u64(400_000_000, 0);
  writer
    .u64(parts.genesisCreationTime ?? 1_600_000_000n)
    .zeros(8)
    .u64(0, slot, 0, slot);
  writer.bytes(filled(7)).zeros(8 + 8 + 33 + 8 + 66);
  writer.u64(432_000, 432_000).u8(0).u64(0, 0); // epoch schedule
  writer.zeros(48);
  writeStakes(writer, stakes, 64);
  writer.u64(0, 0, 0);
  writer.each(stakes === 0 ? [] : [1, 2], (epoch) => {
    writer.u64(epoch);
    writeStakes(writer, stakes, 64);
    writeVoters(writer, stakes);
  });
  writer.u8(1);
};

const writeStakes = (writer: Writer, count: number, delegationBytes: number): void => {
  const indexes = Array.from({ length: count }, (_, index) => index);
  writer.each(indexes, (index) =>
    writer
      .bytes(filled(index))
      .u64(1, 2)
      .each(indexes, () => writer.u8(9))
      .bytes(filled(8))
      .u8(0)
      .u64(0),
  );
  writer.each(indexes, (index) => writer.bytes(filled(index)).zeros(delegationBytes));
  writer.u64(0, 5).each(indexes, () => writer.u64(1, 2, 3, 4));
};

const writeVoters = (writer: Writer, count: number): void => {
  const indexes = Array.from({ length: count }, (_, index) => index);
  writer.u64(count);
  writer.each(indexes, (index) =>
    writer
      .bytes(filled(index))
      .each(indexes, () => writer.zeros(32))
      .u64(1),
  );
  writer.each(indexes, () => writer.zeros(64));
};

const writeTail = (
  writer: Writer,
  { era, latticeHash, incrementalPersistence, stakes = 0 }: ManifestParts,
): void => {
  writer.u64(5000);
  if (era === "1.14") return;
  writer.optionBytes(
    incrementalPersistence === undefined
      ? undefined
      : new Writer()
          .u64(incrementalPersistence.fullSlot)
          .bytes(incrementalPersistence.fullHash)
          .u64(incrementalPersistence.fullCapitalization)
          .bytes(incrementalPersistence.incrementalHash)
          .u64(incrementalPersistence.incrementalCapitalization)
          .finish(),
  );
  writer.optionBytes(undefined);
  if (era === "1.18") return;
  writer.each(stakes === 0 ? [] : [3], (epoch) => {
    writer.u64(epoch).u32(0);
    writeStakes(writer, stakes, 72);
    writeVoters(writer, stakes);
  });
  writer.optionBytes(latticeHash);
  if (era === "4.1" || era === "4.4") writer.optionBytes(filled(6));
};
