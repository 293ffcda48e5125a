import { encodeAddress } from "@lamplight/codecs";
import { type Account, isOlderVersion } from "@lamplight/core";
import type { Lab } from "../lab.ts";
import { matchExpected } from "./match-expected.ts";

/** The version of each account that counts: the newest, and of equals the last. */
export const newestVersions = (accounts: readonly Account[]): readonly Account[] => {
  const newest = new Map<string, Account>();
  for (const account of accounts) {
    const address = encodeAddress(account.address);
    const known = newest.get(address);
    if (known === undefined || !isOlderVersion(account, known)) newest.set(address, account);
  }
  return [...newest.values()];
};

/** Differences between the answer of getAccountInfo and the indexed account, in every byte and every number. */
export const accountDifferences = async (lab: Lab, account: Account): Promise<readonly string[]> => {
  const address = encodeAddress(account.address);
  const answer = await lab.call("getAccountInfo", [address, { encoding: "base64" }]);
  if (answer.error !== null) return [`${address}: ${answer.error.message}`];
  if (account.lamports === 0n) return matchExpected(answer.result, null, address);
  const expected = {
    data: [Buffer.from(account.data).toString("base64"), "base64"],
    executable: account.executable,
    lamports: account.lamports,
    owner: encodeAddress(account.programOwner),
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
  return matchExpected((answer.result as { value?: unknown } | null)?.value, expected, address);
};
