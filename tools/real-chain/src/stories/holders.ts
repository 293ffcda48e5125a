import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
} from "@solana-program/token-2022";
import type { Address, Instruction, KeyPairSigner } from "@solana/kit";
import type { MintMade } from "./create-mint.ts";

export interface Holder {
  readonly owner: KeyPairSigner;
  readonly account: Address;
}

/** The owner's associated account, and the instruction that makes it where it is missing. */
export const associatedHolder = async (
  payer: KeyPairSigner,
  { mint, program }: MintMade,
  owner: KeyPairSigner,
): Promise<{ readonly holder: Holder; readonly create: Instruction }> => {
  const [account] = await findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram: program });
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata: account,
    owner: owner.address,
    mint,
    tokenProgram: program,
  });
  return { holder: { owner, account }, create };
};
