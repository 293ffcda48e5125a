// Every bound of the derivation in a bulk load.

/** Memory of one partition before it is written to its file, and of all partitions of a writer. */
export const SPILL_BUFFER_BYTES_MAX: number = 128 * 1024;
export const SPILL_BUFFERS_BYTES: number = 32 * 1024 * 1024;
/** Bytes that one writer may write for one partition. A partition is read into memory. */
export const SPILL_FILE_BYTES_MAX: number = 4 * 1024 ** 3;
