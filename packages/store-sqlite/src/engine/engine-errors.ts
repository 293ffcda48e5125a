import { existsSync } from "node:fs";
import { isLamplightError, LamplightError } from "@lamplight/errors";

// Primary result codes of SQLite. The upper bits of `errcode` only add detail.
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READ_ONLY = 8;
const SQLITE_IO_ERROR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANNOT_OPEN = 14;
const SQLITE_NOT_A_DATABASE = 26;
/** A write failed, for example because a quota or the largest size of a file is reached. What is stored is whole. */
const SQLITE_IO_ERROR_WRITE = 10 | (3 << 8);
/** Growing the shared memory of the log failed: the disk is full. */
const SQLITE_IO_ERROR_SHM_SIZE = 10 | (19 << 8);

/** Whether the disk refuses writes. Nothing is lost, and a later write may succeed. */
export const isWriteRefused = (error: unknown): boolean => {
  const code = engineCodeOf(error);
  return code === SQLITE_IO_ERROR_WRITE || code === SQLITE_IO_ERROR_SHM_SIZE || code === SQLITE_FULL;
};

/** Turns an error of the engine into one of the registry. Other errors are returned unchanged. */
export const translateEngineError = (error: unknown, file: string): unknown => {
  if (isLamplightError(error)) return error;
  const code = engineCodeOf(error);
  if (code === null) return error;
  const context = { store: file };
  const options = { cause: error };
  const reason = error instanceof Error ? error.message : String(error);
  if (isWriteRefused(error)) return new LamplightError("STORE__FULL", context, options);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new LamplightError("STORE__FILE_LOCKED", context, options);
    case SQLITE_READ_ONLY:
      return new LamplightError("STORE__READ_ONLY", context, options);
    case SQLITE_CANNOT_OPEN:
      return new LamplightError(existsSync(file) ? "STORE__READ_ONLY" : "STORE__MISSING", context, options);
    case SQLITE_NOT_A_DATABASE:
      return new LamplightError("STORE__NOT_A_STORE", { ...context, reason: "not an SQLite file" }, options);
    case SQLITE_CORRUPT:
    case SQLITE_IO_ERROR:
      return new LamplightError("STORE__CORRUPT", { ...context, reason }, options);
    default:
      return error;
  }
};

const engineCodeOf = (error: unknown): number | null =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : null;
