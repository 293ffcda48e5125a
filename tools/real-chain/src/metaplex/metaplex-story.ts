import { Random } from "@lamplight/devchain";
import type { Address } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Bank } from "../bank/bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import type { Tally } from "../stories/tally.ts";
import { emitBubblegumStory } from "./bubblegum-story.ts";
import { emitCoreStory } from "./core-story.ts";
import { metaplexPrograms } from "./metaplex-programs.ts";
import { emitTokenMetadataStory } from "./token-metadata-story.ts";
import { UmiCast } from "./umi-instructions.ts";
import type { MetaplexCast } from "./metaplex-cast.ts";

export interface MetaplexStory {
  readonly seed: number;
  readonly index: number;
  /** Addresses of the programs that the bank has. */
  readonly programs: ReadonlySet<string>;
}

const STREAM_OF_METAPLEX = 0x73;
const BOSS_LAMPORTS = 1_000_000_000n;

/**
 * Assets of each Metaplex program that is there.
 *
 * @returns all accounts and leaves of the story
 */
export const emitMetaplexStory = async (
  bank: Bank,
  { seed, index, programs }: MetaplexStory,
  tally: Tally,
): Promise<readonly Address[]> => {
  const random = new Random(seed, STREAM_OF_METAPLEX, index);
  const [boss, friend] = [await seededSigner(random), await seededSigner(random)];
  const umi = new UmiCast(bank.payer, boss);
  const attempt: MetaplexCast["attempt"] = (step, builder, before = []) =>
    tally.attempt(step, bank, [...before, ...umi.instructions(builder)]);
  await tally.attempt("fund an artist", bank, [
    getTransferSolInstruction({ source: bank.payer, destination: boss.address, amount: BOSS_LAMPORTS }),
  ]);
  const cast: MetaplexCast = { bank, umi, random, boss, friend, attempt };
  const has = (...needed: readonly (keyof typeof metaplexPrograms)[]): boolean =>
    needed.every((name) => programs.has(metaplexPrograms[name]));
  return [
    boss.address,
    ...(has("core") ? await emitCoreStory(cast) : []),
    ...(has("tokenMetadata") ? await emitTokenMetadataStory(cast) : []),
    ...(has("bubblegum", "compression", "noop") ? await emitBubblegumStory(cast) : []),
  ];
};
