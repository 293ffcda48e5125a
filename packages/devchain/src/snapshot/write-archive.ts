import { type TarFile, tarEnd, tarEntry } from "./write-tar.ts";

/** One storage with its content. `content` may be longer than the manifest says: then it has a tail. */
export interface WrittenStorage {
  readonly slot: number;
  readonly id: number;
  readonly content: Buffer;
}

export interface ArchiveParts {
  readonly slot: number;
  readonly manifest: Buffer;
  readonly storages: Iterable<WrittenStorage>;
  /** Default 1.2.0. */
  readonly version?: string;
}

/** The entries of an archive in the order a validator writes them. */
function* archiveEntries({ slot, manifest, storages, version = "1.2.0" }: ArchiveParts): Generator<TarFile> {
  const nothing = Buffer.alloc(0);
  yield { name: "version", content: Buffer.from(version) };
  yield { name: "snapshots/", content: nothing, type: "5" };
  yield { name: "snapshots/status_cache", content: Buffer.alloc(100, 1) };
  yield { name: `snapshots/${slot}/`, content: nothing, type: "5" };
  yield { name: `snapshots/${slot}/${slot}`, content: manifest };
  for (const storage of storages) {
    yield { name: `accounts/${storage.slot}.${storage.id}`, content: storage.content };
  }
}

/** The uncompressed archive, piece by piece. */
export function* archivePieces(parts: ArchiveParts): Generator<Buffer> {
  for (const entry of archiveEntries(parts)) yield tarEntry(entry);
  yield tarEnd;
}

/** The whole uncompressed archive; for small ones. */
export const writeArchive = (parts: ArchiveParts): Buffer => Buffer.concat([...archivePieces(parts)]);
