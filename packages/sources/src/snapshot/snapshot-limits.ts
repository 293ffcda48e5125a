import { memoryBound } from "@lamplight/core";

// Every bound of reading ledger snapshots.

/** Largest account that the chain allows. */
export const ACCOUNT_DATA_LIMIT_BYTES = 10 * 1024 * 1024;
/** Entries of one archive, as the validator bounds them while unpacking. */
export const ARCHIVE_ENTRIES_MAX = 5_000_000;
/** Bytes of all entries together, as the validator bounds them. */
export const ARCHIVE_BYTES_MAX = 64 * 1024 ** 4;
/** Names are short; a long-name entry is refused beyond this. */
export const ENTRY_NAME_BYTES_MAX = 1024;
/** Times, owners and attributes of one entry, as tools other than a validator write them. */
export const PAX_HEADER_BYTES_MAX = 1024 * 1024;
/** Pieces of one sparse entry. */
export const SPARSE_PIECES_MAX = 65_536;
/** Files read in a folder of archives. */
export const FOLDER_ENTRIES_MAX = 10_000;

/** Compressed bytes read at once. */
export const READ_CHUNK_BYTES = 1024 * 1024;
/** Bytes of a compressed frame that the decompressor gets at once. */
export const FRAME_PIECE_BYTES = 256 * 1024;
/** Decompressed bytes passed on at once: the default of 64 KiB is 2.5 times slower. */
export const OUTPUT_CHUNK_BYTES = 1024 * 1024;
/** Largest window a zstd frame may ask for, as a power of two. Every reader of zstd accepts 27, 128 MiB. */
export const zstdWindowLogMax = (): number =>
  Math.max(27, Math.floor(Math.log2(memoryBound(1 / 4, 2 ** 31))));

/** Attempts in a row to continue a broken download without receiving a byte. */
export const DOWNLOAD_RETRIES_MAX = 8;
/** Wait after the first of them; it doubles until the longest. */
export const DOWNLOAD_RETRY_DELAY_MS = 1000;
export const DOWNLOAD_RETRY_DELAY_MAX_MS = 60_000;
/** Longest wait that a `Retry-After` is obeyed for. */
export const DOWNLOAD_RETRY_AFTER_MAX_MS = 600_000;
/** A download that is silent for so long counts as broken. */
export const DOWNLOAD_IDLE_MS = 60_000;

/** Partition files of one load. There are at least two, because the order of keys depends on the first bit. */
export const PARTITIONS_MIN = 2;
export const PARTITIONS_MAX = 1024;
/** Target size of a partition. It is read in the order of addresses, which is random for processor caches. */
export const PARTITION_TARGET_BYTES = 4 * 1024 * 1024;
/** Memory of the write buffers of all partitions together. */
export const PARTITION_BUFFERS_BYTES = 128 * 1024 * 1024;
/** A partition is merged in memory: a larger one is refused. */
export const partitionBytesMax = (): number => memoryBound(1 / 2, 2 ** 32 - 2 ** 20);
/** Threads that merge and hash, and partitions that each may finish ahead of the reader. */
export const MERGE_WORKERS_MAX = 8;
export const TASKS_AHEAD = 2;
/** Working memory of each thread. */
export const THREAD_YOUNG_MEGABYTES = 96;
