// Errors of real transactions: LiteSVM's own logs have the sentences of instruction errors.
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { beforeEach, describe, expect, test } from "vitest";
import { transactionErrorOf, transactionErrorText } from "./transaction-error.ts";

const computeBudget = "ComputeBudget111111111111111111111111111111" as Address;
const price = { programAddress: computeBudget, data: new Uint8Array(9).fill(3, 0, 1) };

let svm: LiteSVM;
let payer: KeyPairSigner;
let other: KeyPairSigner;
beforeEach(async () => {
  svm = new LiteSVM();
  [payer, other] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  svm.airdrop(payer.address, lamports(1_000_000_000n));
});

const failureOf = async (
  feePayer: KeyPairSigner,
  ...instructions: readonly Instruction[]
): Promise<FailedTransactionMetadata> => {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayerSigner(feePayer, one),
    (one) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(one),
    (one) => appendTransactionMessageInstructions(instructions, one),
  );
  const outcome = svm.sendTransaction(await signTransactionMessageWithSigners(message));
  if (outcome instanceof FailedTransactionMetadata) return outcome;
  throw new Error("the transaction succeeded");
};

const give = (amount: bigint): Instruction =>
  getTransferSolInstruction({ source: payer, destination: other.address, amount });

/** An instruction of the Token program that works on the payer's account, which is no token account. */
const close = (): Instruction =>
  token.getCloseAccountInstruction({ account: payer.address, destination: other.address, owner: payer });

describe("the error of an instruction", () => {
  test.each([
    ["Custom", () => give(2n ** 62n), 0, { Custom: 1 }],
    ["InvalidAccountData", () => close(), 0, "InvalidAccountData"],
    [
      "InvalidInstructionData",
      () => ({ ...give(1n), data: new Uint8Array([99]) }),
      0,
      "InvalidInstructionData",
    ],
    ["MissingAccount", () => ({ ...give(1n), accounts: [] }), 0, "MissingAccount"],
  ])("%s", async (_, failing, index, inner) => {
    const failure = await failureOf(payer, failing());
    const error = transactionErrorOf(failure);
    expect(error).toEqual({ InstructionError: [index, inner] });
    const [, logged] = /failed: (.*)$/u.exec(failure.meta().logs().at(-1)!)!;
    expect(transactionErrorText(error)).toBe(`Error processing Instruction ${index}: ${logged}`);
  });

  test("names the instruction", async () => {
    const error = transactionErrorOf(await failureOf(payer, give(10_000_000n), give(2n ** 62n)));
    expect(error).toEqual({ InstructionError: [1, { Custom: 1 }] });
  });
});

describe("the error of a transaction", () => {
  test("of a payer without lamports", async () => {
    const error = transactionErrorOf(await failureOf(other));
    expect(error).toBe("AccountNotFound");
    expect(transactionErrorText(error)).toBe(
      "Attempt to debit an account but found no record of a prior credit.",
    );
  });

  test("of an instruction that must be the only one of its kind", async () => {
    const error = transactionErrorOf(await failureOf(payer, price, price));
    expect(error).toEqual({ DuplicateInstruction: 1 });
    expect(transactionErrorText(error)).toBe(
      "Transaction contains a duplicate instruction (1) that is not allowed",
    );
  });

  test("of an account that has too few lamports for its data", async () => {
    const created = getCreateAccountInstruction({
      payer,
      newAccount: other,
      space: 100n,
      lamports: 1_000n,
      programAddress: token.TOKEN_PROGRAM_ADDRESS,
    });
    const error = transactionErrorOf(await failureOf(payer, created));
    expect(error).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
    expect(transactionErrorText(error)).toBe(
      "Transaction results in an account (1) with insufficient funds for rent",
    );
  });
});
