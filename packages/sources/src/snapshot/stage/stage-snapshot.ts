import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Slot } from "@lamplight/core";
import { diskError } from "@lamplight/errors";
import { refused } from "../archive/archive-fault.ts";
import type { ArchiveSource } from "../archive/archive-source.ts";
import type { SnapshotSources } from "../archive/find-archives.ts";
import { readArchive, type StoragePlace } from "../archive/read-archive.ts";
import type { TakeRecord } from "../archive/storage-parser.ts";
import type { SnapshotManifest } from "../manifest/snapshot-manifest.ts";
import { FULL_ORIGIN, INCREMENTAL_ORIGIN, type Origin, spillLayout } from "../merge/partition-record.ts";
import { arePartitionsThere, PartitionWriter } from "../merge/partition-writer.ts";
import { PARTITIONS_MAX, PARTITIONS_MIN, PARTITION_TARGET_BYTES } from "../snapshot-limits.ts";
import {
  readStageState,
  type StagedArchive,
  type StageState,
  STAGE_VERSION,
  summaryOf,
  writeStageState,
} from "./stage-state.ts";

/**
 * Selects the records that are kept completely. Other records keep only the lamports, and that they may be the newest
 * version.
 */
export interface StageSelection {
  /** Changes with the selection. A resumed load compares it. */
  readonly key: string;
  /** Whether the data of an account may be needed, by its address and program owner; null = of all. */
  readonly keepsData: ((bytes: Buffer, addressAt: number, programOwnerAt: number) => boolean) | null;
}

export interface StageProgress {
  readonly archive: "full" | "incremental";
  readonly bytesRead: number;
  /** Null when not known. */
  readonly bytesTotal: number | null;
  readonly bytesUnpacked: number;
  /** Records of this archive. */
  readonly records: number;
}

export interface StageOptions {
  /** Created if it does not exist. Used by this load only. */
  readonly folder: string;
  readonly selection: StageSelection;
  readonly onProgress: (progress: StageProgress) => void;
  readonly signal?: AbortSignal;
}

/** All records of the archives, in partition files. */
export interface StagedSnapshot {
  readonly folder: string;
  readonly sources: SnapshotSources;
  readonly state: StageState;
  /** Whether an earlier run had already read everything. */
  readonly wasThere: boolean;
  /** Resolves when a later run can continue from here. The records can be read before. */
  readonly saved: Promise<void>;
}

/** Bytes unpacked per byte packed, as an estimate where a manifest lists no storages (Firedancer, Agave from 4.4 on). */
const UNPACKED_PER_PACKED_GUESS = 6;

/**
 * Writes the records of the archives into partition files, which later steps can read several times. A folder that an
 * earlier run of the same load completed is reused. If it lacks the incremental archive, only that is added.
 * Otherwise reading restarts.
 *
 * @throws LamplightError `SOURCE__SNAPSHOT_DAMAGED`, `SOURCE__SNAPSHOT_REFUSED`, `SOURCE__DOWNLOAD`, `STORE__FULL`
 */
export const stageSnapshot = async (
  sources: SnapshotSources,
  options: StageOptions,
): Promise<StagedSnapshot> => {
  try {
    mkdirSync(options.folder, { recursive: true });
  } catch (error) {
    throw diskError(error, options.folder);
  }
  const known = usableState(sources, options);
  if (known !== null && (known.incremental !== null) === (sources.incremental !== null)) {
    return { folder: options.folder, sources, state: known, wasThere: true, saved: Promise.resolve() };
  }
  let written = known === null ? await stageFull(sources.full, options) : null;
  if (sources.incremental !== null) {
    await written?.saved;
    const full = written?.state ?? (known as StageState);
    written = await stageIncremental(sources.incremental, full, options);
  }
  return { folder: options.folder, sources, ...(written as WrittenStage), wasThere: false };
};

type WrittenStage = Pick<StagedSnapshot, "state" | "saved">;

/** Removes everything a stage left in its folder. */
export const clearStage = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const usableState = (sources: SnapshotSources, { folder, selection }: StageOptions): StageState | null => {
  const state = readStageState(folder);
  if (state === null || state.selection !== selection.key) return null;
  if (state.full.identity !== sources.full.identity) return null;
  if (state.incremental !== null && state.incremental.identity !== sources.incremental?.identity) return null;
  return arePartitionsThere(folder, state.lengths) ? state : null;
};

const stageFull = async (source: ArchiveSource, options: StageOptions): Promise<WrittenStage> => {
  for (const name of readdirSync(options.folder))
    rmSync(join(options.folder, name), { recursive: true, force: true });
  let bits = 0;
  let writer: PartitionWriter | null = null;
  try {
    const full = await stageArchive(source, FULL_ORIGIN, options, (manifest) => {
      assertIsFull(source, manifest);
      bits = partitionBits(manifest, source);
      writer = new PartitionWriter(options.folder, bits, null);
      return writer;
    });
    const selection = options.selection.key;
    // An archive without a manifest was refused, so there is a writer.
    return save(options.folder, writer as unknown as PartitionWriter, (lengths) => ({
      version: STAGE_VERSION,
      selection,
      bits,
      lengths,
      full,
      incremental: null,
    }));
  } catch (error) {
    (writer as PartitionWriter | null)?.close();
    throw error;
  }
};

const stageIncremental = async (
  source: ArchiveSource,
  state: StageState,
  options: StageOptions,
): Promise<WrittenStage> => {
  const writer = new PartitionWriter(options.folder, state.bits, state.lengths);
  try {
    const open = (manifest: SnapshotManifest): PartitionWriter => {
      assertExtends(source, manifest, state.full);
      return writer;
    };
    const fullSlot = state.full.manifest.slot;
    const incremental = await stageArchive(source, INCREMENTAL_ORIGIN, options, open, fullSlot);
    return save(options.folder, writer, (lengths) => ({ ...state, lengths, incremental }));
  } catch (error) {
    writer.close();
    throw error;
  }
};

/** The sync may take as long as reading did. Callers that need only the records do not wait for it. */
const save = (
  folder: string,
  writer: PartitionWriter,
  stateOf: (lengths: readonly number[]) => StageState,
): WrittenStage => {
  const state = stateOf(writer.flush());
  const saved = writer
    .sync()
    .then(() => writeStageState(folder, state))
    .finally(() => writer.close());
  // Callers that wait get the error; without any, it is no unhandled rejection.
  saved.catch(() => {});
  return { state, saved };
};

const stageArchive = async (
  source: ArchiveSource,
  origin: Origin,
  options: StageOptions,
  open: (manifest: SnapshotManifest) => PartitionWriter,
  baseSlot: Slot | null = null,
): Promise<StagedArchive> => {
  let writer: PartitionWriter | null = null;
  let records = 0;
  let highestSlot: Slot = 0;
  const keepsData = options.selection.keepsData;
  const openStorage = ({ slot, id }: StoragePlace): TakeRecord | null => {
    if (baseSlot !== null && slot <= baseSlot) return null;
    if (slot > highestSlot) throw refused(`storage ${slot}.${id} is newer than the archive itself`);
    return (bytes, at, dataLength, offset) => {
      records += 1;
      const isBare =
        keepsData !== null && !keepsData(bytes, at + spillLayout.address, at + spillLayout.programOwner);
      writer?.add(bytes, at, dataLength, { slot, id, offset, origin }, isBare);
    };
  };
  const report = await readArchive(
    source,
    {
      baseSlot,
      onManifest: (manifest) => {
        highestSlot = manifest.slot;
        writer = open(manifest);
      },
      openStorage,
      onProgress: (progress) =>
        options.onProgress({
          archive: origin === FULL_ORIGIN ? "full" : "incremental",
          bytesTotal: source.sizeBytes,
          records,
          ...progress,
        }),
    },
    options.signal,
  );
  const { storages, bytesRead, bytesUnpacked, manifest } = report;
  return { identity: source.identity, storages, bytesRead, bytesUnpacked, manifest: summaryOf(manifest) };
};

const partitionBits = (manifest: SnapshotManifest, source: ArchiveSource): number => {
  let bytes = 0;
  for (const length of manifest.storages.values()) bytes += length;
  if (manifest.storages.size === 0)
    bytes = (source.sizeBytes ?? Number.POSITIVE_INFINITY) * UNPACKED_PER_PACKED_GUESS;
  const wanted = Math.min(PARTITIONS_MAX, Math.max(PARTITIONS_MIN, bytes / PARTITION_TARGET_BYTES));
  return Math.ceil(Math.log2(wanted));
};

const assertIsFull = (source: ArchiveSource, manifest: SnapshotManifest): void => {
  const { slot } = source.name;
  if (slot !== null && slot !== manifest.slot) {
    throw refused(`its name has slot ${slot}, but its manifest has slot ${manifest.slot}`);
  }
  const base = manifest.extras.incrementalPersistence?.fullSlot;
  if (base !== undefined && base !== manifest.slot)
    throw refused(`it is an incremental archive over slot ${base}`);
};

const assertExtends = (source: ArchiveSource, manifest: SnapshotManifest, full: StagedArchive): void => {
  const { slot, baseSlot } = source.name;
  const base = manifest.extras.incrementalPersistence?.fullSlot ?? baseSlot;
  if (base !== null && base !== full.manifest.slot) {
    throw refused(`it extends slot ${base}, and the full archive is of slot ${full.manifest.slot}`);
  }
  if (slot !== null && slot !== manifest.slot) {
    throw refused(`its name has slot ${slot}, but its manifest has slot ${manifest.slot}`);
  }
  if (manifest.slot <= full.manifest.slot) {
    throw refused(`its slot ${manifest.slot} is not above slot ${full.manifest.slot} of the full archive`);
  }
  if (manifest.genesisCreationTime !== full.manifest.genesisCreationTime) {
    throw refused("it comes from another cluster than the full archive: their genesis times differ");
  }
};
