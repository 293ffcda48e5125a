import { existsSync, statSync } from "node:fs";
import { isLamplightError, LamplightError } from "@lamplight/errors";

// Primary result codes of SQLite. The upper bits of `errcode` only add detail.
const sqliteBusy = 5;
const sqliteLocked = 6;
const sqliteReadOnly = 8;
const sqliteIoError = 10;
const sqliteCorrupt = 11;
const sqliteFull = 13;
const sqliteCannotOpen = 14;
const sqliteNotADatabase = 26;
/** Growing the shared memory of the log failed: the disk is full. */
const sqliteIoErrorShmSize = 10 | (19 << 8);

/** Turns an error of the engine into one of the registry. Other errors are returned unchanged. */
export const translateEngineError = (error: unknown, file: string): unknown => {
  if (isLamplightError(error)) return error;
  const code = engineCodeOf(error);
  if (code === null) return error;
  const context = { store: file };
  const options = { cause: error };
  const reason = error instanceof Error ? error.message : String(error);
  if (isFolder(file))
    return new LamplightError("STORE__NOT_A_STORE", { ...context, reason: "a folder" }, options);
  if (code === sqliteIoErrorShmSize) return new LamplightError("STORE__FULL", context, options);
  switch (code & 0xff) {
    case sqliteBusy:
    case sqliteLocked:
      return new LamplightError("STORE__LOCKED", context, options);
    case sqliteReadOnly:
      return new LamplightError("STORE__READ_ONLY", context, options);
    case sqliteFull:
      return new LamplightError("STORE__FULL", context, options);
    case sqliteCannotOpen:
      return new LamplightError(existsSync(file) ? "STORE__READ_ONLY" : "STORE__MISSING", context, options);
    case sqliteNotADatabase:
      return new LamplightError("STORE__NOT_A_STORE", { ...context, reason: "not an SQLite file" }, options);
    case sqliteCorrupt:
    case sqliteIoError:
      return new LamplightError("STORE__CORRUPT", { ...context, reason }, options);
    default:
      return error;
  }
};

const engineCodeOf = (error: unknown): number | null =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : null;

/** The engine's error for a folder depends on the flags, and never names the folder as the cause. */
const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
