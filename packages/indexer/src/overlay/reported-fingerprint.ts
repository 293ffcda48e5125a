import { createHash } from "node:crypto";
import type { Account, Transaction } from "@lamplight/core";

const headBytes = 32 + 32 + 8 + 8 + 8 + 1;

/**
 * Names what a slot was reported with: equal for equal contents, in any order, and regardless of what numbers a server gives
 * to writes. Base64 text.
 */
export const fingerprintOf = (accounts: readonly Account[], transactions: readonly Transaction[]): string => {
  const byAddress = accounts.toSorted((a, b) => Buffer.compare(a.address, b.address));
  const heads = Buffer.allocUnsafe(byAddress.length * headBytes);
  for (const [index, account] of byAddress.entries()) writeHead(heads, index * headBytes, account);
  const hash = createHash("sha256").update(`${byAddress.length} `).update(heads);
  for (const { data } of byAddress) hash.update(data);
  const signatures = transactions.map(({ signature }) => signature).toSorted();
  return hash.update(signatures.join(" ")).digest("base64");
};

/** The data's length among it, as their number comes before all: nothing of one account can be taken for another's. */
const writeHead = (heads: Buffer, at: number, account: Account): void => {
  heads.set(account.address, at);
  heads.set(account.programOwner, at + 32);
  heads.writeBigUInt64LE(account.lamports, at + 64);
  heads.writeBigUInt64LE(account.rentEpoch, at + 72);
  heads.writeDoubleLE(account.data.length, at + 80);
  heads[at + 88] = account.executable ? 1 : 0;
};
