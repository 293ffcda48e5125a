// Instructions of Metaplex's own packages, for a bank: they are made for its client umi.

import { decodeAddress, encodeAddress, findProgramAddress } from "@lamplight/codecs";
import type { Context, Pda, PublicKey, Signer, TransactionBuilder } from "@metaplex-foundation/umi";
import { AccountRole, type Address, type Instruction, type KeyPairSigner } from "@solana/kit";

/** The packages need these parts of a client to name accounts. They never sign or send here. */
export type UmiContext = Pick<Context, "payer" | "identity" | "programs" | "eddsa">;

/** Programs that the packages expect a client to know. */
const ownPrograms: Readonly<Record<string, string>> = {
  splAssociatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  splToken: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
};

const leaveToBank = (): never => {
  throw new Error("the bank signs");
};

/** Knows who signs in a story. */
export class UmiCast {
  readonly context: UmiContext;
  readonly #signers = new Map<string, KeyPairSigner>();

  constructor(payer: KeyPairSigner, identity: KeyPairSigner) {
    this.context = {
      payer: this.signer(payer),
      identity: this.signer(identity),
      programs: {
        getPublicKey: (name: string, address?: string) => (address ?? ownPrograms[name]) as PublicKey,
      } as unknown as Context["programs"],
      eddsa: { findPda } as unknown as Context["eddsa"],
    };
  }

  signer(signer: KeyPairSigner): Signer {
    this.#signers.set(signer.address, signer);
    return {
      publicKey: keyOf(signer),
      signMessage: leaveToBank,
      signTransaction: leaveToBank,
      signAllTransactions: leaveToBank,
    };
  }

  instructions(builder: TransactionBuilder): readonly Instruction[] {
    return builder.getInstructions().map(({ programId, keys, data }) => ({
      programAddress: programId as string as Address,
      data,
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => {
        const address = pubkey as string as Address;
        if (!isSigner) return { address, role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY };
        const signer = this.#signers.get(address);
        if (signer === undefined) throw new Error(`nobody signs for ${address}`);
        return {
          address,
          signer,
          role: isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER,
        };
      }),
    }));
  }
}

export const keyOf = ({ address }: { readonly address: Address }): PublicKey =>
  address as string as PublicKey;

const findPda = (program: PublicKey, seeds: Uint8Array[]): Pda => {
  const { address, bump } = findProgramAddress(seeds, decodeAddress(program));
  return [encodeAddress(address), bump] as unknown as Pda;
};
