import type { MethodName } from "@lamplight/contract";
import { demoAddresses } from "@lamplight/devchain";

/** A call whose answer is recorded in the contract; parameters by name, in the order of their positions. */
export interface ExampleCall {
  readonly method: MethodName;
  /** The point that the example shows. */
  readonly name: string;
  readonly params: { readonly [name: string]: unknown };
}

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

const {
  bareMint,
  burntNft,
  clock,
  collection,
  delegate,
  interestBearingMint,
  masterEditionMint,
  mint,
  missing,
  nft,
  nftOwner,
  printMint,
  tokenAccount,
  transferFeeMint,
  unverifiedNft,
  wallet,
} = demoAddresses;

export const exampleCalls: readonly ExampleCall[] = [
  { method: "getNftEditions", name: "first prints", params: { mint: masterEditionMint, page: 1, limit: 3 } },
  {
    method: "getNftEditions",
    name: "prints after a number",
    params: { mint: masterEditionMint, limit: 2, after: "4" },
  },
  {
    method: "getNftEditions",
    name: "a print answers its master's list",
    params: { mint: printMint, limit: 1 },
  },

  { method: "searchAssets", name: "assets of an owner", params: { ownerAddress: nftOwner, limit: 1 } },
  {
    method: "searchAssets",
    name: "verified members of a collection, rising by id",
    params: {
      grouping: ["collection", collection],
      sortBy: { sortBy: "id", sortDirection: "asc" },
      limit: 1,
    },
  },
  {
    method: "searchAssets",
    name: "burnt or frozen",
    params: { conditionType: "any", frozen: true, burnt: true, limit: 1 },
  },
  {
    method: "searchAssets",
    name: "neither of a kind",
    params: { negate: true, interface: "V1_NFT", limit: 1 },
  },
  {
    method: "searchAssets",
    name: "fungible tokens of a wallet, with token_info",
    params: { ownerAddress: wallet, limit: 1, tokenType: "fungible", options: { showFungible: true } },
  },
  { method: "searchAssets", name: "no match", params: { ownerAddress: missing } },

  {
    method: "getTokenAccountsByDelegate",
    name: "of one mint, parsed",
    params: { address: delegate, accountDetails: { mint }, config: { encoding: "jsonParsed" } },
  },
  {
    method: "getTokenAccountsByDelegate",
    name: "of the token program, owner only",
    params: {
      address: delegate,
      accountDetails: { programId: tokenProgram },
      config: { encoding: "base64", dataSlice: { offset: 32, length: 32 } },
    },
  },
  {
    method: "getTokenAccountsByDelegate",
    name: "none",
    params: { address: missing, accountDetails: { mint } },
  },

  { method: "getAccountInfo", name: "a wallet", params: { address: wallet } },
  {
    method: "getAccountInfo",
    name: "a token account, parsed",
    params: { address: tokenAccount, config: { encoding: "jsonParsed", commitment: "confirmed" } },
  },
  {
    method: "getAccountInfo",
    name: "the clock, parsed",
    params: { address: clock, config: { encoding: "jsonParsed" } },
  },
  {
    method: "getAccountInfo",
    name: "a mint, base64 of zstd",
    params: { address: mint, config: { encoding: "base64+zstd" } },
  },
  {
    method: "getAccountInfo",
    name: "part of the data, base58",
    params: { address: mint, config: { encoding: "base58", dataSlice: { offset: 36, length: 8 } } },
  },
  { method: "getAccountInfo", name: "no such account", params: { address: missing } },

  { method: "getAsset", name: "an NFT", params: { id: nft } },
  { method: "getAsset", name: "a fungible token", params: { id: mint, config: { showFungible: true } } },
  {
    method: "getAsset",
    name: "a collection that was never confirmed",
    params: { id: unverifiedNft, config: { showUnverifiedCollections: true, showCollectionMetadata: true } },
  },
  { method: "getAsset", name: "burnt, still readable", params: { id: burntNft } },
  { method: "getAsset", name: "a mint without metadata", params: { id: bareMint } },

  { method: "getTokenSupply", name: "a mint", params: { pubKey: mint } },
  {
    method: "getTokenSupply",
    name: "a Token-2022 mint with a transfer fee",
    params: { pubKey: transferFeeMint, config: { commitment: "finalized" } },
  },
  { method: "getTokenSupply", name: "a mint that bears interest", params: { pubKey: interestBearingMint } },

  { method: "getLargestAccounts", name: "all", params: {} },
  {
    method: "getLargestAccounts",
    name: "circulating only",
    params: { config: { filter: "circulating", commitment: "finalized" } },
  },
];
