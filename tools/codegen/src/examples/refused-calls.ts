import type { MethodName } from "@lamplight/contract";
import { demoAddresses } from "@lamplight/devchain";
import type { OtherServer } from "./demo-server.ts";

/** A call that is refused; `params` as they are sent. */
export interface RefusedCall {
  readonly method: MethodName;
  /** The point that the example shows. */
  readonly name: string;
  readonly params: readonly unknown[] | { readonly [name: string]: unknown };
}

const FAR_SLOT = 9_000_000_000_000;

const { delegate, masterEditionMint, metadataExtensionMint, mint, missing, nft, tokenAccount, wallet } =
  demoAddresses;

export const refusedCalls: readonly RefusedCall[] = [
  { method: "getNftEditions", name: "unknown mint", params: [missing] },
  { method: "getNftEditions", name: "a token without a master edition", params: [mint] },
  { method: "getNftEditions", name: "page 0", params: [masterEditionMint, 0] },
  {
    method: "getNftEditions",
    name: "two places to start",
    params: { mint: masterEditionMint, page: 2, after: "4" },
  },

  {
    method: "searchAssets",
    name: "sortBy one position too early",
    params: [...Array.from({ length: 18 }, () => null), { sortBy: "created", sortDirection: "asc" }],
  },
  { method: "searchAssets", name: "misspelt name", params: { ownerAdress: wallet } },
  { method: "searchAssets", name: "unknown word", params: { interface: "V1_NTF" } },
  { method: "searchAssets", name: "limit over 1000", params: { burnt: false, limit: 1001 } },

  {
    method: "getTokenAccountsByDelegate",
    name: "unknown mint",
    params: [delegate, { mint: missing }],
  },
  {
    method: "getTokenAccountsByDelegate",
    name: "no token program",
    params: [delegate, { programId: missing }],
  },
  { method: "getTokenAccountsByDelegate", name: "neither mint nor program", params: [delegate, {}] },

  { method: "getAccountInfo", name: "not base58", params: ["0OIl"] },
  { method: "getAccountInfo", name: "unknown commitment", params: [wallet, { commitment: "finalised" }] },
  { method: "getAccountInfo", name: "misspelt member", params: [wallet, { encodin: "base64" }] },
  {
    method: "getAccountInfo",
    name: "a slot not reached yet",
    params: [wallet, { minContextSlot: FAR_SLOT }],
  },
  {
    method: "getAccountInfo",
    name: "base58 over 128 bytes",
    params: [metadataExtensionMint, { encoding: "base58" }],
  },
  { method: "getAccountInfo", name: "no position", params: [] },

  { method: "getAsset", name: "unknown asset", params: [missing] },
  { method: "getAsset", name: "wrong type", params: [42] },
  { method: "getAsset", name: "unknown option", params: { id: nft, options: { showFungibles: true } } },

  { method: "getAsset", name: "a slot not reached yet", params: { id: nft, minContextSlot: FAR_SLOT } },

  { method: "getTokenSupply", name: "no such account", params: [missing] },
  { method: "getTokenSupply", name: "not a mint", params: [tokenAccount] },
  { method: "getTokenSupply", name: "wrong length", params: [mint.slice(0, 20)] },

  { method: "getLargestAccounts", name: "unknown filter", params: [{ filter: "circulate" }] },
];

/** A request that is refused before any method sees it. */
export interface RefusedRequest {
  readonly name: string;
  /** The key in the path; default: one that may call. */
  readonly key?: string;
  /** The server that is asked; default: that of the demo chain. */
  readonly server?: OtherServer;
  /** The last answer of a batch is shown. */
  readonly body: string;
}

const text = (method: MethodName, params: unknown, id = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

export const refusedRequests: readonly RefusedRequest[] = [
  { name: "not JSON", body: '{"jsonrpc":"2.0","id":1,"method":"getAsset"' },
  { name: "no version", body: '{"id":1,"method":"getAsset","params":[]}' },
  { name: "empty batch", body: "[]" },
  { name: "misspelt method", body: '{"jsonrpc":"2.0","id":1,"method":"getAset","params":[]}' },
  {
    name: "unknown key",
    key: "nobody",
    body: '{"jsonrpc":"2.0","id":1,"method":"getLargestAccounts","params":[]}',
  },
  {
    name: "body too large",
    server: "tight",
    body: text("searchAssets", {
      ownerAddress: wallet,
      supplyMint: mint,
      creatorAddress: wallet,
      conditionType: "any",
      options: { showFungible: true, showGrandTotal: true, showZeroBalance: true },
    }),
  },
  {
    name: "batch of too many calls",
    server: "tight",
    body: `[${[1, 2, 3].map((id) => text("getAsset", [], id)).join(",")}]`,
  },
  {
    name: "batch whose answers grow too large: its second call",
    server: "tight",
    body: `[${[1, 2].map((id) => text("getAsset", [nft], id)).join(",")}]`,
  },
  { name: "store not loaded yet", server: "empty", body: text("getAsset", [nft]) },
  { name: "outside what the store covers", server: "filtered", body: text("getAsset", [missing]) },
];
