import { createHash } from "node:crypto";
import type { Account, Transaction } from "@lamplight/core";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import { hashData } from "./shared-data.ts";

const HEAD_BYTES = 32 + 32 + 8 + 8 + 8 + 1;

/**
 * Fingerprint of the updates that a slot was reported with, as base64 text. It depends neither on their order nor on
 * the write versions that a server assigns.
 */
export const fingerprintOf = (accounts: readonly Account[], transactions: readonly Transaction[]): string => {
  const byAddress = accounts.toSorted((a, b) => Buffer.compare(a.address, b.address));
  const heads = Buffer.allocUnsafe(byAddress.length * HEAD_BYTES);
  for (const [index, account] of byAddress.entries()) writeHead(heads, index * HEAD_BYTES, account);
  const hash = createHash("sha256").update(`${byAddress.length} `).update(heads);
  for (const { data } of byAddress) hash.update(data.length < SHARED_DATA_BYTES_MIN ? data : hashData(data));
  const signatures = transactions.map(({ signature }) => signature).toSorted();
  return hash.update(signatures.join(" ")).digest("base64");
};

/** Includes the length of the data, so that bytes of one account are never read as bytes of the next. */
const writeHead = (heads: Buffer, at: number, account: Account): void => {
  heads.set(account.address, at);
  heads.set(account.programOwner, at + 32);
  heads.writeBigUInt64LE(account.lamports, at + 64);
  heads.writeBigUInt64LE(account.rentEpoch, at + 72);
  heads.writeDoubleLE(account.data.length, at + 80);
  heads[at + 88] = account.executable ? 1 : 0;
};
