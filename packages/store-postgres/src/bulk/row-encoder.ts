// Loaded by name into the threads that merge and derive: see `rowEncoderUrl`. Every answer comes with the memory to
// hand over with it.

import type { AccountBatch, BulkEncoder, Encoded } from "@lamplight/core";
import { copyAccounts } from "./copied-accounts.ts";
import { copyAssets, copyLinks } from "./copied-assets.ts";

/** @public loaded by name */
export const encodeBatch: BulkEncoder["encodeBatch"] = (accounts: AccountBatch, count, holdings = true) =>
  packed(copyAccounts(accounts, count, { holdings }));

/** @public loaded by name */
export const encodeLinks: BulkEncoder["encodeLinks"] = (page) => packed(copyLinks(page));

/** @public loaded by name */
export const encodeAssets: BulkEncoder["encodeAssets"] = (page) => packed(copyAssets(page));

const packed = <Rows extends object>(encoded: Rows): Encoded<Rows> => ({
  encoded,
  buffers: [...new Set(buffersOf(encoded))],
});

function* buffersOf(value: object): Generator<ArrayBufferLike> {
  if (ArrayBuffer.isView(value)) yield value.buffer;
  else
    for (const member of Object.values(value) as readonly unknown[])
      if (typeof member === "object" && member !== null) yield* buffersOf(member);
}
