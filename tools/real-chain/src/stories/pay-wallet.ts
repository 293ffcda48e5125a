import { getTransferSolInstruction } from "@solana-program/system";
import type { Address } from "@solana/kit";
import type { Bank } from "../bank/bank.ts";

/** @param address - base58 */
export const payWallet = (bank: Bank, address: string, amount: bigint): Promise<void> =>
  bank.send([getTransferSolInstruction({ source: bank.payer, destination: address as Address, amount })]);
