// Every bound of the derivation in a bulk load.

/** Memory of one partition before it is written to its file, and of all partitions of a writer. */
export const spillBufferBytesMax: number = 128 * 1024;
export const spillBuffersBytes: number = 32 * 1024 * 1024;
/** Bytes that one writer may write for one partition. A partition is read into memory. */
export const spillFileBytesMax: number = 4 * 1024 ** 3;
