import { getMerkleTreeSize } from "@metaplex-foundation/mpl-account-compression";
import {
  createTreeConfig,
  createTreeConfigV2,
  DecompressibleState,
  findTreeConfigPda,
  setDecompressibleState,
} from "@metaplex-foundation/mpl-bubblegum";
import type { PublicKey } from "@metaplex-foundation/umi";
import type { Address } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { seededSigner } from "../bank/seeded-signer.ts";
import { metaplexPrograms } from "../metaplex/metaplex-programs.ts";
import { keyOf } from "../metaplex/umi-instructions.ts";
import type { ProofCast } from "./proof-cast.ts";

export interface TreeForm {
  /** The version of Bubblegum. Each has a compression program of its own. */
  readonly version: 1 | 2;
  readonly depth: number;
  /** The number of roots that the program remembers. */
  readonly bufferSize: number;
  /** Levels below the root whose nodes the account holds. A transaction leaves them out of its proof. */
  readonly canopyDepth: number;
}

/** Creates an empty tree. Leaves of the first version can be decompressed. */
export const createTree = async (
  { umi, random, send, bank }: ProofCast,
  { version, depth, bufferSize, canopyDepth }: TreeForm,
): Promise<PublicKey> => {
  const tree = await seededSigner(random);
  const merkleTree = keyOf(tree);
  const space = getMerkleTreeSize(depth, bufferSize, canopyDepth);
  const account = getCreateAccountInstruction({
    payer: bank.payer,
    newAccount: tree,
    lamports: await bank.rentFor(space),
    space,
    programAddress: metaplexPrograms[version === 1 ? "compression" : "forkedCompression"] as Address,
  });
  const sizes = { merkleTree, maxDepth: depth, maxBufferSize: bufferSize };
  await send((version === 1 ? createTreeConfig : createTreeConfigV2)(umi.context, sizes), [account]);
  if (version === 1) {
    const treeConfig = findTreeConfigPda(umi.context, { merkleTree });
    const decompressableState = DecompressibleState.Enabled;
    await send(setDecompressibleState(umi.context, { treeConfig, decompressableState }));
  }
  return merkleTree;
};
