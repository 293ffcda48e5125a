import type { Instruction, KeyPairSigner } from "@solana/kit";

/** Executes transactions with the real programs. */
export interface Bank {
  /** Pays every fee and every rent. */
  readonly payer: KeyPairSigner;
  /** Lamports that keep an account of so many bytes. */
  rentFor(bytes: number): Promise<bigint>;
  /** Seconds of the chain's clock. */
  now(): Promise<bigint>;
  slot(): Promise<bigint>;
  /**
   * One transaction; signed by the payer and every signer of its instructions.
   *
   * @throws TransactionRefused when a program refuses it; then nothing but the fee changed
   */
  send(instructions: readonly Instruction[]): Promise<void>;
}

export class TransactionRefused extends Error {}
