import type { IndexStore } from "@lamplight/core";
import { isLamplightError, usageError } from "@lamplight/errors";
import { nameOfStore, openStoreForWriting } from "@lamplight/runtime";

/**
 * The URL of the store: `--store`, or `LAMPLIGHT_STORE`.
 *
 * @throws LamplightError `CLI__USAGE` where both are missing
 */
export const storeUrlOf = ({ store }: { readonly store?: string | undefined }): string => {
  const url = store ?? process.env["LAMPLIGHT_STORE"] ?? "";
  if (url === "") throw usageError("--store is missing");
  return url;
};

/**
 * Opens a store that no other process writes.
 *
 * @param hint - what a user does while another process writes it
 * @throws LamplightError `CLI__USAGE` while another process writes it; of the STORE family
 */
export const openIdleStore = async (url: string, hint: string): Promise<IndexStore> => {
  try {
    return await openStoreForWriting(url, { create: false });
  } catch (error) {
    if (!isLamplightError(error, "STORE__LOCKED")) throw error;
    throw usageError(`${nameOfStore(url)} is being written by another process; ${hint}`, error);
  }
};
