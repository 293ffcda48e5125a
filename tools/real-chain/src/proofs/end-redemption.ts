import {
  type AssetWithProof,
  cancelRedeem,
  decompressV1,
  findVoucherPda,
} from "@metaplex-foundation/mpl-bubblegum";
import type { PublicKey, Signer, TransactionBuilder } from "@metaplex-foundation/umi";
import type { UmiContext } from "../metaplex/umi-instructions.ts";

/** The second half of a decompression: mints the token of a leaf that was redeemed. */
export const decompress = (
  context: UmiContext,
  asset: AssetWithProof,
  leafOwner: Signer,
  mint: PublicKey,
): TransactionBuilder =>
  decompressV1(context, { ...asset, leafOwner, mint, voucher: findVoucherPda(context, asset) });

/**
 * Restores a leaf that was redeemed. The library leaves the nodes out of this instruction.
 *
 * @param asset - with the proof of the empty leaf
 */
export const restore = (context: UmiContext, asset: AssetWithProof, leafOwner: Signer): TransactionBuilder =>
  cancelRedeem(context, {
    ...asset,
    leafOwner,
    voucher: findVoucherPda(context, asset),
  }).addRemainingAccounts(asset.proof.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })));
