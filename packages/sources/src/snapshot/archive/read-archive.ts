import { setImmediate } from "node:timers/promises";
import type { Slot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { ManifestParser } from "../manifest/parse-manifest.ts";
import type { SnapshotManifest } from "../manifest/snapshot-manifest.ts";
import { ArchiveFault, damaged, refused } from "./archive-fault.ts";
import type { ArchiveSource } from "./archive-source.ts";
import { decompress } from "./decompress.ts";
import { StorageParser, type TakeRecord } from "./storage-parser.ts";
import type { EntryConsumer, Steps } from "./entry-consumer.ts";
import { type TarEntry, TarParser } from "./tar-parser.ts";

/** One account storage of an archive. */
export interface StoragePlace {
  readonly slot: Slot;
  readonly id: number;
  /** The size of the tar entry. */
  readonly sizeBytes: number;
  /** Valid bytes, from the start of the entry. */
  readonly validBytes: number;
}

export interface ArchiveReader {
  /** Slot of the full archive that an incremental one extends; absent = from its name or its manifest. */
  readonly baseSlot?: Slot | null;
  /** Called once, before any storage; may throw an `ArchiveFault` to refuse the archive. */
  onManifest(manifest: SnapshotManifest): void;
  /** Returns the consumer of a storage's records; null = skip the storage. */
  openStorage(place: StoragePlace): TakeRecord | null;
  /** Called at intervals. */
  onProgress(progress: ArchiveProgress): void;
}

export interface ArchiveProgress {
  readonly bytesRead: number;
  readonly bytesUnpacked: number;
}

export interface ArchiveReport extends ArchiveProgress {
  readonly storages: number;
  readonly manifest: SnapshotManifest;
}

/**
 * Reads an archive from its first byte to its last, in bounded memory. It reports every fault of the format: a
 * truncated file, a missing or additional storage, broken records.
 *
 * @throws LamplightError `SOURCE__SNAPSHOT_DAMAGED`, `SOURCE__SNAPSHOT_REFUSED`, `SOURCE__DOWNLOAD`
 */
export const readArchive = async (
  source: ArchiveSource,
  reader: ArchiveReader,
  signal?: AbortSignal,
): Promise<ArchiveReport> => {
  const run = new ArchiveRun(reader, reader.baseSlot ?? source.name.baseSlot);
  let bytesRead = 0;
  let bytesUnpacked = 0;
  const compressed = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of source.read(signal)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  };
  try {
    for await (const chunk of decompress(compressed(), source.name.compression)) {
      for (const step of run.write(chunk)) {
        void step;
        // A gap of a sparse entry may be far larger than the archive, so signals and other work get a turn between
        // its steps.
        await setImmediate();
        signal?.throwIfAborted();
      }
      bytesUnpacked += chunk.length;
      reader.onProgress({ bytesRead, bytesUnpacked });
    }
    return { ...run.end(), bytesRead, bytesUnpacked };
  } catch (error) {
    throw error instanceof ArchiveFault ? placed(error, source.place, run.entry) : error;
  }
};

const placed = (fault: ArchiveFault, archive: string, entry: string | null): LamplightError => {
  const reason = fault.message;
  if (fault.kind === "refused")
    return new LamplightError("SOURCE__SNAPSHOT_REFUSED", { archive, reason }, { cause: fault });
  return new LamplightError(
    "SOURCE__SNAPSHOT_DAMAGED",
    {
      archive,
      reason,
      ...(entry === null ? {} : { entry }),
      ...(fault.offset === null ? {} : { offset: fault.offset }),
    },
    { cause: fault },
  );
};

const versionKnown = "1.2.0";
const VERSION_BYTES_MAX = 64;
const storageName = /^accounts\/(\d{1,16})\.(\d{1,16})$/;
const manifestName = /^snapshots\/(\d{1,16})\/(\d{1,16})$/;
const folderName = /^(accounts|snapshots|snapshots\/\d{1,16})\/?$/;
const passedOver: EntryConsumer = { write: () => {}, end: () => {} };

/** Checks the order of an archive's entries by their names. */
class ArchiveRun {
  readonly #reader: ArchiveReader;
  readonly #baseSlot: Slot | null;
  readonly #tar: TarParser;
  #version: string | null = null;
  #manifest: SnapshotManifest | null = null;
  /** Storages of the manifest that are still required, and those that are optional, with their valid bytes. */
  #missing: Map<string, number> = new Map();
  #optional: Map<string, number> = new Map();
  #areStoragesListed = false;
  readonly #unlisted = new Set<string>();
  #storages = 0;
  #lastEntry: string | null = null;

  constructor(reader: ArchiveReader, baseSlot: Slot | null) {
    this.#reader = reader;
    this.#baseSlot = baseSlot;
    this.#tar = new TarParser((entry) => this.#open(entry));
  }

  get entry(): string | null {
    return this.#tar.current ?? this.#lastEntry;
  }

  write(chunk: Buffer): Steps {
    return this.#tar.write(chunk);
  }

  end(): { readonly storages: number; readonly manifest: SnapshotManifest } {
    this.#tar.end();
    this.#lastEntry = null;
    if (this.#version === null) throw refused("it has no version file, so it is not a ledger snapshot");
    if (this.#manifest === null) throw damaged("it has no manifest");
    const [missing] = this.#missing.keys();
    if (missing !== undefined) {
      throw damaged(
        `${this.#missing.size} storages of its manifest are missing, accounts/${missing} among them`,
      );
    }
    return { storages: this.#storages, manifest: this.#manifest };
  }

  #open(entry: TarEntry): EntryConsumer {
    this.#lastEntry = entry.name;
    if (entry.kind === "folder") {
      if (!folderName.test(entry.name)) throw this.#strange(entry);
      return passedOver;
    }
    if (entry.name === "version") return this.#openVersion(entry);
    if (entry.name === "snapshots/status_cache") return passedOver;
    const manifest = manifestName.exec(entry.name);
    if (manifest !== null && manifest[1] === manifest[2])
      return this.#openManifest(entry, Number(manifest[1]));
    const storage = storageName.exec(entry.name);
    if (storage !== null) return this.#openStorage(entry, Number(storage[1]), Number(storage[2]));
    throw this.#strange(entry);
  }

  #strange(entry: TarEntry): ArchiveFault {
    return refused(`entry ${JSON.stringify(entry.name)} does not belong in a ledger snapshot`);
  }

  #openVersion(entry: TarEntry): EntryConsumer {
    if (entry.size > VERSION_BYTES_MAX) throw refused("its version file holds no version");
    let text = "";
    return {
      write: (bytes) => {
        text += bytes.toString("latin1");
      },
      end: () => {
        this.#version = text.trim().replace(/^v/, "");
        if (this.#version !== versionKnown) {
          throw refused(`its version is ${JSON.stringify(text)}; only ${versionKnown} is known`);
        }
      },
    };
  }

  #openManifest(entry: TarEntry, slot: Slot): EntryConsumer {
    if (this.#version === null) throw refused("its manifest comes before its version");
    if (this.#manifest !== null) throw damaged("it has two manifests");
    const parser = new ManifestParser(entry.size);
    return {
      write: (bytes) => parser.write(bytes),
      end: () => {
        const manifest = parser.end();
        if (manifest.slot !== slot)
          throw damaged(`its manifest is for slot ${manifest.slot}, but its name has slot ${slot}`);
        this.#manifest = manifest;
        this.#expectStorages(manifest);
        this.#areStoragesListed = manifest.storages.size > 0;
        this.#reader.onManifest(manifest);
      },
    };
  }

  /**
   * The manifest of an incremental archive lists the whole bank if a running validator from 2.0 on wrote it. Storages
   * at or below the base slot are then only in the full archive, possibly with another id.
   */
  #expectStorages({ slot, storages, extras }: SnapshotManifest): void {
    const recorded = extras.incrementalPersistence?.fullSlot ?? null;
    // A full archive of the merkle era records its own slot.
    const base = this.#baseSlot ?? (recorded === null || recorded >= slot ? -1 : recorded);
    for (const [name, length] of storages) {
      const ofSlot = Number(name.slice(0, name.indexOf(".")));
      (ofSlot <= base ? this.#optional : this.#missing).set(name, length);
    }
  }

  #openStorage(entry: TarEntry, slot: Slot, id: number): EntryConsumer {
    if (this.#manifest === null) throw refused("a storage comes before the manifest");
    const valid = this.#validBytes(`${slot}.${id}`, entry.size);
    this.#storages += 1;
    const take = this.#reader.openStorage({ slot, id, sizeBytes: entry.size, validBytes: valid });
    if (take === null) return passedOver;
    const parser = new StorageParser(valid, this.#areStoragesListed, take);
    return { write: (bytes) => parser.write(bytes), end: () => parser.end() };
  }

  #validBytes(name: string, size: number): number {
    if (!this.#areStoragesListed) {
      if (this.#unlisted.has(name)) throw damaged("the storage comes twice");
      this.#unlisted.add(name);
      return size;
    }
    const listed = this.#missing.get(name) ?? this.#optional.get(name);
    if (listed === undefined) {
      const isListed = this.#manifest?.storages.has(name) === true;
      throw damaged(isListed ? "the storage comes twice" : "the storage is not in the manifest");
    }
    if (listed > size) throw damaged(`the manifest lists ${listed} bytes, but the storage has ${size}`);
    if (!this.#missing.delete(name)) this.#optional.delete(name);
    return listed;
  }
}
