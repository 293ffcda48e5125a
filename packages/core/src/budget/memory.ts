import { totalmem } from "node:os";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { LamplightError } from "@lamplight/errors";

const memorySetting = "LAMPLIGHT_MEMORY_BYTES";
/** The bounds are shares of the memory; with less than this, ordinary calls would be refused. */
const BYTES_MIN = 256 * 1024 ** 2;

export interface Memory {
  /** Memory of the machine. */
  readonly totalBytes: number;
  /** Limit of the container; 0 or more than the machine has = none. */
  readonly constrainedBytes: number;
  /** Text of `LAMPLIGHT_MEMORY_BYTES`. */
  readonly setting: string | undefined;
}

/**
 * Memory that one process may use, in bytes.
 *
 * @throws LamplightError `CONFIG__INVALID` for a setting that is no number of bytes, or too small
 */
export const usableBytes = ({ totalBytes, constrainedBytes, setting = "" }: Memory): number => {
  if (setting === "") return constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes;
  const bytes = /^\d{1,15}$/u.test(setting) ? Number(setting) : 0;
  if (bytes >= BYTES_MIN) return bytes;
  const reason = `must be a number of bytes, at least ${BYTES_MIN}`;
  throw new LamplightError("CONFIG__INVALID", { file: "the environment", field: memorySetting, reason });
};

let usable: number | null = null;

/**
 * Sets the memory of this thread, and of threads that it starts later. A process calls it when it starts, before any
 * bound is read. A wrong setting is reported where a bound is read.
 *
 * @param setting - text of `LAMPLIGHT_MEMORY_BYTES`; undefined or empty = the memory of the machine or container
 */
export const setUsableMemory = (setting: string | undefined): void => {
  setEnvironmentData(memorySetting, setting);
  usable = null;
};

const bytesHere = (): number =>
  (usable ??= usableBytes({
    totalBytes: totalmem(),
    constrainedBytes: process.constrainedMemory?.() ?? 0,
    setting: getEnvironmentData(memorySetting) as string | undefined,
  }));

/**
 * A bound in bytes that fits the memory of this process: the machine's, the container's, or what `setUsableMemory` set.
 *
 * @param share - 1/4 = a quarter of the memory
 * @param mostBytes - upper limit of the bound, on machines with much memory
 */
export const memoryBound = (share: number, mostBytes: number): number =>
  Math.min(mostBytes, Math.floor(share * bytesHere()));
