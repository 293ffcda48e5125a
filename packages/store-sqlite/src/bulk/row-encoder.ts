// Loaded by name into the threads that merge ledger snapshots: see `rowEncoderUrl`.

import type { Account } from "@lamplight/core";
import { buffersOf, type EncodedRows, encodeRows } from "./encode-rows.ts";

/** Rows of these accounts, and the memory to hand over with them. */
export const encodeBatch = (
  accounts: Iterable<Account>,
  count: number,
): { readonly encoded: EncodedRows; readonly buffers: ArrayBufferLike[] } => {
  const encoded = encodeRows(accounts, count);
  return { encoded, buffers: buffersOf(encoded) };
};
