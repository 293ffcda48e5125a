import type { Random } from "@lamplight/devchain";
import { getCreateAccountInstruction } from "@solana-program/system";
import {
  getInitializeMint2Instruction,
  getMintSize,
  getPostInitializeInstructionsForMintExtensions,
  getPreInitializeInstructionsForMintExtensions,
} from "@solana-program/token-2022";
import type { Address, KeyPairSigner } from "@solana/kit";
import type { Bank } from "../bank/bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import { type MintExtensions, randomMintExtensions } from "./mint-extensions.ts";
import type { Tally } from "./tally.ts";

export const tokenPrograms = {
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as Address,
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address,
};

export interface MintMade {
  readonly program: Address;
  readonly mint: Address;
  readonly decimals: number;
  readonly extensions: ReadonlySet<string>;
}

/** Room for metadata that grows later. */
const SPARE_BYTES = 500;
const none: MintExtensions = { first: [], after: [] };

/** @returns null when the program refused it */
export const createMint = async (
  bank: Bank,
  random: Random,
  boss: KeyPairSigner,
  program: Address,
  tally: Tally,
): Promise<MintMade | null> => {
  const signer = await seededSigner(random);
  const mint = signer.address;
  const isExtended = program === tokenPrograms.token2022 && random.percent(85);
  const { first, after } = isExtended ? randomMintExtensions(random, mint, boss.address) : none;
  const decimals = random.below(10);
  const lamports = await bank.rentFor(getMintSize([...first, ...after]) + SPARE_BYTES);
  const created = await tally.attempt("create a mint", bank, [
    getCreateAccountInstruction({
      payer: bank.payer,
      newAccount: signer,
      lamports,
      space: first.length === 0 ? PLAIN_MINT_BYTES : getMintSize([...first]),
      programAddress: program,
    }),
    ...getPreInitializeInstructionsForMintExtensions(mint, [...first]),
    getInitializeMint2Instruction(
      {
        mint,
        decimals,
        mintAuthority: boss.address,
        freezeAuthority: needsFreezer(first) || random.percent(70) ? boss.address : null,
      },
      { programAddress: program },
    ),
    ...getPostInitializeInstructionsForMintExtensions(mint, boss, [...after]),
  ]);
  const extensions = new Set([...first, ...after].map(({ __kind }) => __kind));
  return created ? { program, mint, decimals, extensions } : null;
};

const PLAIN_MINT_BYTES = 82;

const needsFreezer = (first: MintExtensions["first"]): boolean =>
  first.some(({ __kind }) => __kind === "DefaultAccountState");
