import { createDasApiDecorator } from "@metaplex-foundation/digital-asset-standard-api";
import { getAssetWithProof } from "@metaplex-foundation/mpl-bubblegum";
import {
  lamports as lamportsOf,
  type PublicKey,
  publicKey,
  type RpcInterface,
} from "@metaplex-foundation/umi";
import type { Address } from "@solana/kit";
import type { ReadProof } from "../src/proofs/proof-trial.ts";
import type { IndexedBank } from "./indexed-bank.ts";

/** Bubblegum's own library, unchanged, reads the index as it does for wallets. */
export const proofReader = (chain: IndexedBank): ReadProof => {
  const call = (method: string, params: object) => chain.askDas(method, params);
  const getAccount = async (key: PublicKey) => {
    const account = chain.bank.svm.getAccount(key as string as Address);
    if (!account.exists) return { exists: false, publicKey: key };
    return {
      exists: true,
      publicKey: key,
      owner: publicKey(account.programAddress),
      lamports: lamportsOf(account.lamports),
      executable: false,
      data: Uint8Array.from(account.data),
    };
  };
  const rpc = createDasApiDecorator({ call, getAccount } as unknown as RpcInterface);
  return (assetId) => getAssetWithProof({ rpc } as never, assetId, { truncateCanopy: true });
};
