import { demoAddresses } from "@lamplight/devchain";

/** One call per method that the demo chain gives a telling answer to. */
export const demoCalls: readonly { readonly method: string; readonly params: readonly unknown[] }[] = [
  { method: "getAccountInfo", params: [demoAddresses.tokenAccount, { encoding: "jsonParsed" }] },
  { method: "getTokenSupply", params: [demoAddresses.mint] },
  {
    method: "getTokenAccountsByDelegate",
    params: [demoAddresses.delegate, { mint: demoAddresses.mint }, { encoding: "jsonParsed" }],
  },
  { method: "getLargestAccounts", params: [{ filter: "circulating" }] },
  { method: "getAsset", params: [demoAddresses.nft] },
  { method: "getNftEditions", params: [demoAddresses.masterEditionMint, 1, 3] },
  {
    method: "searchAssets",
    // Positions 4 ownerAddress, 9 grouping and 21 limit; what is not used is null.
    params: [
      ...nulls(3),
      demoAddresses.nftOwner,
      ...nulls(4),
      ["collection", demoAddresses.collection],
      ...nulls(11),
      2,
    ],
  },
];

/** The shell line of a call. */
export const curlLine = (endpoint: string, { method, params }: (typeof demoCalls)[number]): string => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return `curl -s ${endpoint} -H 'Content-Type: application/json' -d '${body}'`;
};

function nulls(count: number): null[] {
  return Array.from({ length: count }, () => null);
}
