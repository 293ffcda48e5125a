import type { Slot } from "@lamplight/core";

export type Compression = "zstd" | "gzip" | "lz4" | "bzip2" | "none";

/** Fields in the name of an archive. */
export interface ArchiveName {
  readonly kind: "full" | "incremental" | "unnamed";
  /** Null when the name does not contain it. */
  readonly slot: Slot | null;
  /** Slot of the full archive an incremental one extends. */
  readonly baseSlot: Slot | null;
  /** Base58; null when the name has none. */
  readonly hash: string | null;
  readonly compression: Compression;
}

const extensions: readonly (readonly [string, Compression])[] = [
  [".tar.zst", "zstd"],
  [".tar.lz4", "lz4"],
  [".tar.gz", "gzip"],
  [".tar.bz2", "bzip2"],
  [".tar", "none"],
];

const hashText = "[1-9A-HJ-NP-Za-km-z]{32,44}";
const fullName = new RegExp(`^snapshot-(\\d{1,16})-(${hashText})$`);
const incrementalName = new RegExp(`^incremental-snapshot-(\\d{1,16})-(\\d{1,16})-(${hashText})$`);

/**
 * Reads the name of an archive file. A file may have any name before its extension; then only its content identifies
 * it. Null for unknown extensions, and for files that are still being written.
 */
export const parseArchiveName = (fileName: string): ArchiveName | null => {
  if (fileName.startsWith("tmp-snapshot-archive-")) return null;
  const extension = extensions.find(([text]) => fileName.endsWith(text));
  if (extension === undefined) return null;
  const [text, compression] = extension;
  const stem = fileName.slice(0, -text.length);
  const full = fullName.exec(stem);
  if (full !== null) {
    return { kind: "full", slot: Number(full[1]), baseSlot: null, hash: full[2] ?? null, compression };
  }
  const incremental = incrementalName.exec(stem);
  if (incremental !== null) {
    const [, base, slot, hash] = incremental;
    return {
      kind: "incremental",
      slot: Number(slot),
      baseSlot: Number(base),
      hash: hash ?? null,
      compression,
    };
  }
  return { kind: "unnamed", slot: null, baseSlot: null, hash: null, compression };
};
