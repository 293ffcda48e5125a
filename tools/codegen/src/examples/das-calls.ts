import { demoAddresses } from "@lamplight/devchain";
import { sampleLeaves } from "./sample-leaves.ts";

/** A call of either contract, whose answer is recorded. */
export interface NamedCall {
  readonly method: string;
  /** The point that the example shows. */
  readonly name: string;
  readonly params: unknown;
}

const {
  collection,
  masterEditionMint,
  mint,
  missing,
  nft,
  nftCreator,
  nftOwner,
  tokenAccount,
  unverifiedNft,
  wallet,
} = demoAddresses;

const rising = { sortBy: "id", sortDirection: "asc" };

/** Calls whose answers are recorded in the DAS contract; parameters by name, in the order of their positions. */
export const dasExampleCalls: readonly NamedCall[] = [
  { method: "getAsset", name: "an NFT", params: { id: nft } },
  {
    method: "getAsset",
    name: "an unverified group",
    params: { id: unverifiedNft, options: { showUnverifiedCollections: true } },
  },
  { method: "getAssets", name: "known and unknown", params: { ids: [nft, missing] } },
  {
    method: "getAssetBatch",
    name: "with the mint of each",
    params: { ids: [mint], options: { showFungible: true } },
  },
  { method: "getAssetProof", name: "a leaf", params: { id: sampleLeaves.v2 } },
  {
    method: "getAssetProofs",
    name: "a leaf and a burnt asset",
    params: { ids: [sampleLeaves.v1, sampleLeaves.burnt] },
  },
  { method: "getAssetProofBatch", name: "an unknown asset", params: { ids: [missing] } },
  {
    method: "getAssetsByOwner",
    name: "first asset of a wallet",
    params: { ownerAddress: nftOwner, sortBy: rising, limit: 1 },
  },
  {
    method: "getAssetsByCreator",
    name: "signed by the creator",
    params: { creatorAddress: nftCreator, onlyVerified: true, sortBy: rising, limit: 1 },
  },
  {
    method: "getAssetsByAuthority",
    name: "second page",
    params: { authorityAddress: nftCreator, limit: 1, page: 2 },
  },
  {
    method: "getAssetsByGroup",
    name: "members of a collection",
    params: { groupKey: "collection", groupValue: collection, limit: 1 },
  },
  {
    method: "getGrouping",
    name: "size of a collection",
    params: { groupKey: "collection", groupValue: collection },
  },
  { method: "searchAssets", name: "burnt assets", params: { burnt: true, limit: 1 } },
  {
    method: "searchAssets",
    name: "tokens of a wallet",
    params: { ownerAddress: wallet, limit: 1, options: { showFungible: true }, tokenType: "fungible" },
  },
  { method: "getTokenAccounts", name: "of a wallet", params: { ownerAddress: wallet, limit: 2 } },
  {
    method: "getTokenAccounts",
    name: "largest holders of a token",
    params: { mintAddress: mint, limit: 2, sortBy: { sortBy: "amount" } },
  },
  { method: "getNftEditions", name: "first prints", params: { mintAddress: masterEditionMint, limit: 2 } },
];

/** Calls that are refused, recorded as well. */
export const dasRefusedCalls: readonly NamedCall[] = [
  { method: "getAsset", name: "unknown asset", params: { id: missing } },
  { method: "getAssets", name: "no address", params: { ids: [nft, "0"] } },
  { method: "getAssetBatch", name: "no list", params: { ids: nft } },
  { method: "getAssetProof", name: "a burnt asset", params: { id: sampleLeaves.burnt } },
  { method: "getAssetProofs", name: "no address", params: { ids: ["0"] } },
  { method: "getAssetProofBatch", name: "no list", params: { ids: sampleLeaves.burnt } },
  {
    method: "getAssetsByOwner",
    name: "two starts",
    params: { ownerAddress: nftOwner, page: 1, after: nft },
  },
  { method: "getAssetsByCreator", name: "no creator", params: {} },
  {
    method: "getAssetsByAuthority",
    name: "an empty page",
    params: { authorityAddress: nftCreator, limit: 0 },
  },
  {
    method: "getAssetsByGroup",
    name: "unknown key",
    params: { groupKey: "creator", groupValue: nftCreator },
  },
  { method: "getGrouping", name: "no group", params: { groupKey: "collection" } },
  { method: "searchAssets", name: "agents", params: { isAgent: true } },
  {
    method: "getTokenAccounts",
    name: "an order of the accounts of a wallet",
    params: { ownerAddress: wallet, sortBy: { sortBy: "amount" } },
  },
  { method: "getNftEditions", name: "no master edition", params: { mintAddress: tokenAccount } },
];
