import { type AssetWithProof, decompressV1, findVoucherPda } from "@metaplex-foundation/mpl-bubblegum";
import type { PublicKey, Signer, TransactionBuilder } from "@metaplex-foundation/umi";
import type { UmiContext } from "../metaplex/umi-instructions.ts";

/** The second half of a decompression: mints the token of a leaf that was redeemed. */
export const decompress = (
  context: UmiContext,
  { metadata, merkleTree, nonce }: AssetWithProof,
  leafOwner: Signer,
  mint: PublicKey,
): TransactionBuilder =>
  decompressV1(context, {
    metadata,
    leafOwner,
    mint,
    voucher: findVoucherPda(context, { merkleTree, nonce }),
  });
