import type { Instruction, Transaction } from "@lamplight/core";

const addressBytes = 32;

/** What the instructions of a transaction take in memory: their data, and the addresses they name. */
export const transactionBytes = ({ groups }: Transaction): number => {
  let bytes = 0;
  for (const { outer, inner } of groups) {
    bytes += instructionBytes(outer);
    for (const one of inner) bytes += instructionBytes(one);
  }
  return bytes;
};

/** The program's address is one more. */
const instructionBytes = ({ accounts, data }: Instruction): number =>
  data.length + (accounts.length + 1) * addressBytes;
