import type { Instruction } from "@solana/kit";
import { type Bank, TransactionRefused } from "../bank/bank.ts";

/** Counts how often each step of the stories was executed, and how often a program refused it. */
export class Tally {
  readonly done = new Map<string, number>();
  readonly refused = new Map<string, number>();
  /** Message of the last refusal of each step. */
  readonly reasons = new Map<string, string>();

  /** Steps are chosen at random, so programs refuse some; a refused one leaves no trace but its fee. */
  async attempt(step: string, bank: Bank, instructions: readonly Instruction[]): Promise<boolean> {
    try {
      await bank.send(instructions);
      this.done.set(step, (this.done.get(step) ?? 0) + 1);
      return true;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      this.refused.set(step, (this.refused.get(step) ?? 0) + 1);
      this.reasons.set(step, error.message);
      return false;
    }
  }
}
