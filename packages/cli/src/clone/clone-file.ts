import { readFile, rename, writeFile } from "node:fs/promises";
import { encodeAddress } from "@lamplight/codecs";
import { parseExact } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { type ClonedAccount, cloneKinds } from "@lamplight/sources/clone";
import { parseAccountDump } from "@lamplight/sources/dumps";
import { exactJson } from "@lamplight/sources/endpoint";
import { isMembers } from "../diff/members.ts";

/**
 * Accounts of a file that `writeCloneFile` wrote, by base58 address; empty where there is no file.
 *
 * @throws LamplightError `SOURCE__BAD_DUMP`
 */
export const readCloneFile = async (file: string): Promise<Map<string, ClonedAccount>> => {
  const found = new Map<string, ClonedAccount>();
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      const row = parseExact(line);
      const account = parseAccountDump(row, 1);
      const named = isMembers(row) && Array.isArray(row["namedBy"]) ? (row["namedBy"] as unknown[]) : [];
      const namedBy = cloneKinds.filter((kind) => named.includes(kind));
      found.set(encodeAddress(account.address), { account, namedBy });
    } catch (cause) {
      const { message: reason } = cause as Error;
      throw new LamplightError("SOURCE__BAD_DUMP", { file, line: index + 1, reason }, { cause });
    }
  }
  return found;
};

/** One account a line, by address: a later version of the file differs in few lines. `lamplight load accounts` reads it. */
export const writeCloneFile = async (
  file: string,
  accounts: ReadonlyMap<string, ClonedAccount>,
): Promise<void> => {
  const lines = [...accounts.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => lineOf(one));
  const unfinished = `${file}.new`;
  await writeFile(unfinished, lines.join(""));
  await rename(unfinished, file);
};

const lineOf = ({ account, namedBy }: ClonedAccount): string => {
  const { address, slot, lamports, programOwner, executable, rentEpoch, data } = account;
  const row = {
    pubkey: encodeAddress(address),
    slot,
    ...(namedBy.length === 0 ? {} : { namedBy }),
    account: {
      lamports,
      owner: encodeAddress(programOwner),
      executable,
      rentEpoch,
      data: [Buffer.from(data).toString("base64"), "base64"],
    },
  };
  return `${exactJson(row)}\n`;
};
