import type { Random } from "@lamplight/devchain";
import type { TransactionBuilder } from "@metaplex-foundation/umi";
import type { Instruction, KeyPairSigner } from "@solana/kit";
import type { Bank } from "../bank/bank.ts";
import type { UmiCast } from "./umi-instructions.ts";

export interface MetaplexCast {
  readonly bank: Bank;
  readonly umi: UmiCast;
  readonly random: Random;
  /** Authority and first owner. */
  readonly boss: KeyPairSigner;
  /** The receiver of what is given away. */
  readonly friend: KeyPairSigner;
  /** @returns whether the programs took it */
  readonly attempt: (
    step: string,
    builder: TransactionBuilder,
    before?: readonly Instruction[],
  ) => Promise<boolean>;
}
