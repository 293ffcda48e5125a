import { Random } from "@lamplight/devchain";
import type { Address } from "@solana/kit";
import type { Bank } from "../bank/bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import { createMint, tokenPrograms } from "./create-mint.ts";
import { associatedHolder, type Holder } from "./holders.ts";
import type { Tally } from "./tally.ts";
import { stepsFor } from "./token-steps.ts";
import type { Scene } from "./step.ts";

export interface TokenStory {
  readonly program: Address;
  readonly seed: number;
  /** Number of the story within its seed. */
  readonly index: number;
  readonly steps: number;
}

/**
 * One mint and three owners; then steps of the program in random order.
 *
 * @returns all accounts of the story: mint, token accounts, owners
 */
export const emitTokenStory = async (
  bank: Bank,
  { program, seed, index, steps }: TokenStory,
  tally: Tally,
): Promise<readonly Address[]> => {
  const random = new Random(seed, program === tokenPrograms.token ? 0x70 : 0x71, index);
  const boss = await seededSigner(random);
  const made = await createMint(bank, random, boss, program, tally);
  if (made === null) return [];
  const holders: Holder[] = [];
  for (let count = 0; count < HOLDERS_OF_MINT; count += 1) {
    const { holder, create } = await associatedHolder(bank.payer, made, await seededSigner(random));
    await tally.attempt("create an account", bank, [create]);
    holders.push(holder);
  }
  const possible = stepsFor(made);
  for (let count = 0; count < steps; count += 1) {
    const from = holders[random.below(HOLDERS_OF_MINT)]!;
    const to = holders[random.below(HOLDERS_OF_MINT)]!;
    const scene: Scene = { random, boss, made, from, to, now: await bank.now(), payer: bank.payer };
    const [name, make] = possible[count < HOLDERS_OF_MINT ? 0 : random.below(possible.length)]!;
    await tally.attempt(name, bank, make(scene));
  }
  return [made.mint, boss.address, ...holders.flatMap(({ owner, account }) => [owner.address, account])];
};

const HOLDERS_OF_MINT = 3;
