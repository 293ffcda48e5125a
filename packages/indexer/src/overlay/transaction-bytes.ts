import type { Instruction, Transaction } from "@lamplight/core";

const ADDRESS_BYTES = 32;

/** Memory of the instructions of a transaction: their data and the addresses that they name. */
export const transactionBytes = ({ groups }: Transaction): number => {
  let bytes = 0;
  for (const { outer, inner } of groups) {
    bytes += instructionBytes(outer);
    for (const one of inner) bytes += instructionBytes(one);
  }
  return bytes;
};

/** Plus the address of the program. */
const instructionBytes = ({ accounts, data }: Instruction): number =>
  data.length + (accounts.length + 1) * ADDRESS_BYTES;
