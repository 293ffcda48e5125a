import { userInfo } from "node:os";

import { isLamplightError, LamplightError } from "@lamplight/errors";

import {
  type ChangeContext,
  createRecord,
  disableRecord,
  limitRecord,
  rotateRecord,
} from "./change-records.ts";
import type { KeyLimits, KeyRecord } from "./key-record.ts";
import type { KeyStore } from "./key-store.ts";
import { hashKey, makeKey } from "./make-key.ts";
import { RecordFault } from "./read-records.ts";

/**
 * Makes a key. It is returned here and nowhere else: the store has its hash only.
 *
 * @throws LamplightError `CLI__USAGE` for a name that is taken
 */
export const createKey = async (
  store: KeyStore,
  made: Pick<KeyRecord, "expires" | "limits" | "name">,
): Promise<string> => {
  const key = makeKey();
  await store.change((records) => createRecord(records, { ...made, hash: hashKey(key) }, context()));
  return key;
};

/**
 * Makes a new key for a name. The one before stays valid for `overlapMs`.
 *
 * @throws LamplightError `CLI__USAGE` for an unknown name
 */
export const rotateKey = async (store: KeyStore, name: string, overlapMs: number): Promise<string> => {
  const key = makeKey();
  await store.change((records) => rotateRecord(records, { name, hash: hashKey(key), overlapMs }, context()));
  return key;
};

/** @throws LamplightError `CLI__USAGE` for an unknown name */
export const disableKey = async (store: KeyStore, name: string, isDisabled: boolean): Promise<void> => {
  await store.change((records) => disableRecord(records, { name, isDisabled }, context()));
};

/** @throws LamplightError `CLI__USAGE` for an unknown name */
export const limitKey = async (store: KeyStore, name: string, limits: Partial<KeyLimits>): Promise<void> => {
  await store.change((records) => limitRecord(records, { name, limits }, context()));
};

/** @throws LamplightError `CONFIG__INVALID` where they cannot be read */
export const readKeys = async (store: KeyStore): Promise<readonly KeyRecord[]> => {
  const read = await store.read(null);
  return read?.parse() ?? [];
};

/**
 * An error of a key store as one of the registry, which commands and servers report.
 *
 * @returns the error itself where it is one
 */
export const toKeyStoreError = (store: string, error: unknown): unknown => {
  const missing = "does not exist; make it with lamplight keys create";
  if (isLamplightError(error, "STORE__MISSING"))
    return new LamplightError("CONFIG__INVALID", { file: store, field: "the key store", reason: missing });
  if (isLamplightError(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const [field, reason] =
    error instanceof RecordFault
      ? [error.field, error.reason]
      : code === "ENOENT"
        ? ["the key store", missing]
        : ["the key store", `cannot be used (${code ?? message})`];
  return new LamplightError("CONFIG__INVALID", { file: store, field, reason }, { cause: error });
};

const context = (): ChangeContext => ({ now: new Date(), by: account() });

/** Containers may run under a number that has no name. */
const account = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
};
