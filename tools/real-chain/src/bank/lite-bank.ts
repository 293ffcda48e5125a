import { type Address, type Instruction, isWritableRole, type KeyPairSigner, lamports } from "@solana/kit";
import type { Transaction } from "@lamplight/core";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { readExecuted } from "../../../../packages/testing/src/svm/read-executed.ts";
import { type Bank, TransactionRefused } from "./bank.ts";
import { buildTransaction } from "./build-transaction.ts";

const PAYERS_LAMPORTS = 100_000_000_000_000n;
/** No transaction of this bank expires: it has no blocks. */
const LAST_VALID_BLOCK_HEIGHT = 2n ** 63n;

/** The runtime and the programs of a validator, in this process. */
export class LiteBank implements Bank {
  readonly svm = new LiteSVM().withTransactionHistory(0n);
  readonly payer: KeyPairSigner;
  readonly #touched = new Set<Address>();
  #executed: Transaction[] = [];

  constructor(payer: KeyPairSigner) {
    this.payer = payer;
    this.svm.airdrop(payer.address, lamports(PAYERS_LAMPORTS));
  }

  /** Addresses that a transaction could write since the last call. */
  takeTouched(): Address[] {
    const taken = [...this.#touched];
    this.#touched.clear();
    return taken;
  }

  /** Transactions that succeeded since the last call, in their order. */
  takeExecuted(): readonly Transaction[] {
    const taken = this.#executed;
    this.#executed = [];
    return taken;
  }

  rentFor(bytes: number): Promise<bigint> {
    return Promise.resolve(this.svm.minimumBalanceForRentExemption(BigInt(bytes)));
  }

  now(): Promise<bigint> {
    return Promise.resolve(this.svm.getClock().unixTimestamp);
  }

  slot(): Promise<bigint> {
    return Promise.resolve(this.svm.getClock().slot);
  }

  async send(instructions: readonly Instruction[]): Promise<void> {
    const lifetime = { blockhash: this.svm.latestBlockhash(), lastValidBlockHeight: LAST_VALID_BLOCK_HEIGHT };
    const transaction = await buildTransaction(this.payer, lifetime, instructions);
    const outcome = this.svm.sendTransaction(transaction);
    this.#touched.add(this.payer.address);
    if (outcome instanceof FailedTransactionMetadata)
      throw new TransactionRefused(`${outcome.toString()} ${outcome.meta().logs().join(" | ")}`);
    this.#executed.push(readExecuted(this.svm, transaction as never, outcome).transaction);
    for (const { accounts = [] } of instructions)
      for (const { address, role } of accounts) if (isWritableRole(role)) this.#touched.add(address);
  }
}
