import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** One file an account, as `solana-test-validator --account-dir` reads them. */
export const writeAccountFiles = (folder: string, accounts: readonly Account[]): void => {
  for (const account of accounts) {
    const pubkey = encodeAddress(account.address);
    writeFileSync(join(folder, `${pubkey}.json`), accountText(pubkey, account));
  }
};

/** Numbers above 2^53 are written digit by digit. */
const accountText = (pubkey: string, account: Account): string => {
  const { lamports, data, programOwner, executable, rentEpoch } = account;
  const texts = [Buffer.from(data).toString("base64"), "base64"];
  return `{"pubkey":"${pubkey}","account":{"lamports":${lamports},"data":${JSON.stringify(texts)},"owner":"${encodeAddress(programOwner)}","executable":${executable},"rentEpoch":${rentEpoch},"space":${data.length}}}`;
};
