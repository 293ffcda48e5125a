import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Account, Instruction, Transaction } from "@lamplight/core";

// Accounts and transactions as Agave's JSON-RPC writes them.

export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** As JSON text, for u64 has more digits than a number. */
export const accountText = (account: Account, slice: DataSlice | null): string => {
  const { data } = account;
  const part = slice === null ? data : data.subarray(slice.offset, slice.offset + slice.length);
  const base64 = Buffer.from(part).toString("base64");
  return `{"data":["${base64}","base64"],"executable":${account.executable},"lamports":${account.lamports},"owner":"${encodeAddress(account.programOwner)}","rentEpoch":${account.rentEpoch},"space":${data.length}}`;
};

export const keyedAccountText = (account: Account, slice: DataSlice | null): string =>
  `{"account":${accountText(account, slice)},"pubkey":"${encodeAddress(account.address)}"}`;

/** The answer of getTransaction with encoding `json`. */
export const transactionAnswer = ({ signature, slot, groups }: Transaction): object => {
  const keys: string[] = [];
  const indexOf = (address: Uint8Array): number => {
    const text = encodeAddress(address);
    if (!keys.includes(text)) keys.push(text);
    return keys.indexOf(text);
  };
  const instruction = ({ programAddress, accounts, data, stackHeight }: Instruction): object => ({
    programIdIndex: indexOf(programAddress),
    accounts: accounts.map(indexOf),
    data: encodeBase58(data),
    stackHeight,
  });
  const instructions = groups.map(({ outer }) => instruction(outer));
  const innerInstructions = groups.map(({ inner }, index) => ({
    index,
    instructions: inner.map(instruction),
  }));
  return {
    slot,
    blockTime: null,
    version: "legacy",
    transaction: { signatures: [signature], message: { accountKeys: keys, instructions } },
    meta: { err: null, innerInstructions, loadedAddresses: { writable: [], readonly: [] } },
  };
};
