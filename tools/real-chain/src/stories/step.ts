import type { Random } from "@lamplight/devchain";
import type { Instruction, KeyPairSigner } from "@solana/kit";
import type { MintMade } from "./create-mint.ts";
import type { Holder } from "./holders.ts";

export interface Scene {
  readonly random: Random;
  readonly boss: KeyPairSigner;
  readonly made: MintMade;
  /** The one whose account the step is about, and another. */
  readonly from: Holder;
  readonly to: Holder;
  /** Seconds of the chain's clock. */
  readonly now: bigint;
  readonly payer: KeyPairSigner;
}

export type Step = readonly [name: string, make: (scene: Scene) => readonly Instruction[]];
