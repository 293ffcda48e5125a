import type { Random } from "@lamplight/devchain";
import { createCollection } from "@metaplex-foundation/mpl-core";
import type { PublicKey, TransactionBuilder } from "@metaplex-foundation/umi";
import { address, type Instruction, type KeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import type { Bank } from "../bank/bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import { keyOf, UmiCast } from "../metaplex/umi-instructions.ts";

export interface ProofCast {
  readonly bank: Bank;
  readonly umi: UmiCast;
  readonly random: Random;
  readonly owners: readonly [KeyPairSigner, ...KeyPairSigner[]];
  /** Takes compressed assets. */
  readonly collection: PublicKey;
  /** @throws TransactionRefused */
  readonly send: (builder: TransactionBuilder, before?: readonly Instruction[]) => Promise<void>;
}

const OWNERS_LAMPORTS = 1_000_000_000_000n;
/** The most that a transaction may ask for. Trees with many levels need more than the default. */
const COMPUTE_UNITS = 1_400_000;
const SET_COMPUTE_UNIT_LIMIT = 2;
const unitLimit: Instruction = {
  programAddress: address("ComputeBudget111111111111111111111111111111"),
  data: Uint8Array.of(SET_COMPUTE_UNIT_LIMIT, ...new Uint8Array(Uint32Array.of(COMPUTE_UNITS).buffer)),
};

/** Two owners of leaves, and a collection. */
export const createCast = async (bank: Bank, random: Random): Promise<ProofCast> => {
  const [boss, friend] = [await seededSigner(random), await seededSigner(random)];
  const fund = [boss, friend].map(({ address: destination }) =>
    getTransferSolInstruction({ source: bank.payer, destination, amount: OWNERS_LAMPORTS }),
  );
  await bank.send(fund);
  const umi = new UmiCast(bank.payer, boss);
  const send: ProofCast["send"] = (builder, before = []) =>
    bank.send([unitLimit, ...before, ...umi.instructions(builder)]);
  const collection = await seededSigner(random);
  await send(
    createCollection(umi.context, {
      collection: umi.signer(collection),
      name: "Leaves",
      uri: "https://example.com/leaves.json",
      plugins: [{ type: "BubblegumV2" }],
    }),
  );
  return { bank, umi, random, owners: [boss, friend], collection: keyOf(collection), send };
};
