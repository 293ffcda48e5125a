import { type Account, AccountBatch } from "@lamplight/core";
import type { WinnerBatch } from "./merge-snapshot.ts";

/** The accounts of a batch, ascending. Their slot is that of the storage. */
export const batchOf = ({ bytes, winners }: Pick<WinnerBatch, "bytes" | "winners">): AccountBatch =>
  new AccountBatch(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), winners);

/** The same one by one; their bytes are views into the batch. */
export const accountsOf = (batch: Pick<WinnerBatch, "bytes" | "winners">): Iterable<Account> =>
  batchOf(batch);
