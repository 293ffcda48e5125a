import type { Indexer } from "../src/indexer.ts";
import type { Input } from "./read-cases.ts";

/** A watermark above every slot of the cases: a store serves nothing before it has one, and it never moves back. */
const watermark = { slot: 1_000_000_000, blockhash: null };

/** Applies inputs as one update. */
export const applyInputs = async (indexer: Indexer, inputs: readonly Input[]): Promise<void> => {
  await indexer.apply({
    accounts: inputs.flatMap((input) => (input.kind === "account" ? [input.account] : [])),
    transactions: inputs.flatMap((input) => (input.kind === "transaction" ? [input.transaction] : [])),
    watermark,
  });
};
