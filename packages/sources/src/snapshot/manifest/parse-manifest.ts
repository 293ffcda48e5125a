import type { Slot } from "@lamplight/core";
import { ArchiveFault, damaged } from "../archive/archive-fault.ts";
import { epochOfSlot, type EpochSchedule } from "./epoch-of-slot.ts";
import { ManifestCursor, type Steps } from "./manifest-cursor.ts";
import type { IncrementalPersistence, ManifestExtras, SnapshotManifest } from "./snapshot-manifest.ts";
import { walkEpochStakes, walkStakes, walkVersionedEpochStakes } from "./walk-stakes.ts";

/** Parses a manifest in chunks, of any size, and keeps the needed fields. */
export class ManifestParser {
  readonly #cursor: ManifestCursor;
  readonly #steps: Steps<SnapshotManifest>;
  #manifest: SnapshotManifest | null = null;

  /** @param sizeBytes - of the whole manifest; every count in it is checked against the bytes that are left */
  constructor(sizeBytes: number) {
    this.#cursor = new ManifestCursor(sizeBytes);
    this.#steps = parseManifest(this.#cursor);
    this.#advance();
  }

  /** @throws ArchiveFault for an invalid manifest; offsets count within it */
  write(bytes: Buffer): void {
    this.#cursor.feed(bytes);
    if (this.#manifest === null) this.#advance();
  }

  end(): SnapshotManifest {
    if (this.#manifest === null) throw damaged("the manifest is cut off", this.#cursor.position);
    return this.#manifest;
  }

  #advance(): void {
    const step = this.#steps.next();
    if (step.done === true) this.#manifest = step.value;
  }
}

const HASH_BYTES = 32;
const LATTICE_BYTES = 2048;

function* parseManifest(cursor: ManifestCursor): Steps<SnapshotManifest> {
  const bank = yield* parseBankFields(cursor);
  const storages = yield* parseStorages(cursor);
  yield* cursor.skip(16); // write version, slot
  const accountsDeltaHash = yield* hashOrNull(cursor);
  const accountsHash = yield* hashOrNull(cursor);
  yield* cursor.skip(5 * 8); // statistics
  const { extras, isWhole } = yield* parseTail(cursor);
  if (!isWhole) yield* cursor.skip(cursor.remaining);
  return { ...bank, storages, accountsDeltaHash, accountsHash, extras };
}

/** Versions that do not know a hash any more write zeros. */
function* hashOrNull(cursor: ManifestCursor): Steps<Uint8Array | null> {
  const hash = yield* cursor.bytes(HASH_BYTES);
  return hash.every((byte) => byte === 0) ? null : hash;
}

type BankFields = Omit<SnapshotManifest, "storages" | "accountsDeltaHash" | "accountsHash" | "extras">;

function* parseBankFields(cursor: ManifestCursor): Steps<BankFields> {
  yield* cursor.skip(8);
  const lastBlockhash = yield* optionalBytes(cursor, HASH_BYTES, "the last blockhash");
  yield* skipAll(cursor, 56, "blockhashes");
  yield* cursor.skip(8); // most blockhashes
  yield* skipAll(cursor, 16, "ancestors");
  const bankHash = yield* cursor.bytes(HASH_BYTES);
  const parentBankHash = yield* cursor.bytes(HASH_BYTES);
  const parentSlot = yield* cursor.safeNumber("the parent slot");
  const hardForks = yield* parseHardForks(cursor);
  yield* cursor.skip(16); // transaction count, tick height
  const signatureCount = yield* cursor.u64();
  const capitalization = yield* cursor.u64();
  yield* cursor.skip(8); // highest tick height
  if (yield* cursor.isPresent("hashes per tick")) yield* cursor.skip(8);
  yield* cursor.skip(8 + 16); // ticks per slot, nanoseconds per slot
  const genesisCreationTime = yield* cursor.i64();
  yield* cursor.skip(16); // slots per year, length of all data
  const slot = yield* cursor.safeNumber("the slot");
  const writtenEpoch = yield* cursor.safeNumber("the epoch");
  const blockHeight = yield* cursor.safeNumber("the block height");
  // Leader, collector fees, fee calculator, fee rate governor, collected rent, rent collector.
  yield* cursor.skip(32 + 8 + 8 + 33 + 8 + 66);
  const schedule = yield* parseSchedule(cursor);
  yield* cursor.skip(6 * 8); // inflation
  yield* walkStakes(cursor, "delegation");
  yield* skipAll(cursor, 32, "unused accounts");
  yield* skipAll(cursor, 32, "unused accounts");
  yield* skipAll(cursor, 40, "unused accounts");
  yield* walkEpochStakes(cursor);
  yield* cursor.isPresent("the delta flag");
  const epoch = epochOfSlot(schedule, slot);
  return {
    slot,
    parentSlot,
    blockHeight,
    epoch,
    writtenEpoch,
    bankHash,
    parentBankHash,
    lastBlockhash,
    signatureCount,
    capitalization,
    genesisCreationTime,
    hardForks,
  };
}

function* parseHardForks(cursor: ManifestCursor): Steps<SnapshotManifest["hardForks"]> {
  const count = yield* cursor.count(16, "hard forks");
  const forks: { readonly slot: Slot; readonly count: bigint }[] = [];
  for (let index = 0; index < count; index += 1) {
    forks.push({ slot: yield* cursor.safeNumber("the slot of a hard fork"), count: yield* cursor.u64() });
  }
  return forks;
}

function* parseSchedule(cursor: ManifestCursor): Steps<EpochSchedule> {
  const slotsPerEpoch = yield* cursor.safeNumber("the slots of an epoch");
  yield* cursor.skip(9); // leader schedule offset, warm-up
  const firstNormalEpoch = yield* cursor.safeNumber("the first normal epoch");
  const firstNormalSlot = yield* cursor.safeNumber("the first normal slot");
  return { slotsPerEpoch, firstNormalEpoch, firstNormalSlot };
}

function* parseStorages(cursor: ManifestCursor): Steps<ReadonlyMap<string, number>> {
  const storages = new Map<string, number>();
  const slots = yield* cursor.count(16, "slots of storages");
  for (let index = 0; index < slots; index += 1) {
    const slot = yield* cursor.safeNumber("the slot of a storage");
    const ofSlot = yield* cursor.count(16, "storages of a slot");
    for (let one = 0; one < ofSlot; one += 1) {
      const start = cursor.position;
      const id = yield* cursor.safeNumber("the id of a storage");
      const length = yield* cursor.safeNumber("the length of a storage");
      const name = `${slot}.${id}`;
      if (storages.has(name)) throw damaged(`storage ${name} is listed twice`, start);
      storages.set(name, length);
    }
  }
  return storages;
}

interface Tail {
  readonly extras: ManifestExtras;
  readonly isWhole: boolean;
}

/**
 * Parses everything after the table of storages. A fault here does not affect the accounts: it is reported, and the
 * fields before it count. For example, archives of 1.16 to 1.18 that were written during reward payment have an
 * additional field here.
 */
function* parseTail(cursor: ManifestCursor): Steps<Tail> {
  const found: { -readonly [Name in keyof ManifestExtras]: ManifestExtras[Name] } = {
    incrementalPersistence: null,
    epochAccountsHash: null,
    latticeHash: null,
    blockId: null,
    unknownBytes: 0,
    fault: null,
  };
  try {
    yield* skipAll(cursor, 8, "historical roots");
    yield* skipAll(cursor, 40, "historical roots with hashes");
    if (cursor.remaining > 0) yield* cursor.skip(8); // lamports per signature
    if (cursor.remaining > 0) found.incrementalPersistence = yield* parseIncrementalPersistence(cursor);
    if (cursor.remaining > 0) {
      found.epochAccountsHash = yield* optionalBytes(cursor, HASH_BYTES, "the epoch's accounts hash");
    }
    if (cursor.remaining > 0) yield* walkVersionedEpochStakes(cursor);
    if (cursor.remaining > 0)
      found.latticeHash = yield* optionalBytes(cursor, LATTICE_BYTES, "the lattice hash");
    if (cursor.remaining > 0) found.blockId = yield* optionalBytes(cursor, HASH_BYTES, "the block id");
    found.unknownBytes = cursor.remaining;
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    found.fault = `byte ${error.offset ?? cursor.position} of the manifest: ${error.message}`;
  }
  return { extras: found, isWhole: cursor.remaining === 0 };
}

function* parseIncrementalPersistence(cursor: ManifestCursor): Steps<IncrementalPersistence | null> {
  if (!(yield* cursor.isPresent("the incremental persistence"))) return null;
  return {
    fullSlot: yield* cursor.safeNumber("the slot of the full archive"),
    fullHash: yield* cursor.bytes(HASH_BYTES),
    fullCapitalization: yield* cursor.u64(),
    incrementalHash: yield* cursor.bytes(HASH_BYTES),
    incrementalCapitalization: yield* cursor.u64(),
  };
}

function* optionalBytes(cursor: ManifestCursor, count: number, what: string): Steps<Uint8Array | null> {
  return (yield* cursor.isPresent(what)) ? yield* cursor.bytes(count) : null;
}

function* skipAll(cursor: ManifestCursor, elementBytes: number, what: string): Steps<void> {
  const count = yield* cursor.count(elementBytes, what);
  yield* cursor.skip(count * elementBytes);
}
