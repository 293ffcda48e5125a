/** The hint for a method of another server: what answers here in its place; undefined for names that we do not know. */
export const findReplacement = (method: string): string | undefined => foreignMethods.get(method);

const byOwner = "use searchAssets with ownerAddress";
const byGroup = 'use searchAssets with grouping: ["collection", "<address>"]';
const tokensOfOwner = `${byOwner}, tokenType: "fungible" and options: {"showFungible": true}`;
const batch = "send a batch: an array of getAsset requests, up to 100";
const accountBatch = "send a batch: an array of getAccountInfo requests, up to 100";
const noProofs = "this server stores no proofs; read them from an RPC provider with the DAS API";
const noHistory = "this server stores no transactions; read them from an RPC node";
const noWrites = "this server only reads; send transactions to an RPC node";

/** Methods of other servers, with the hint that refuses them. A test sends each of them, and follows its hint. */
export const foreignMethods: ReadonlyMap<string, string> = new Map([
  ["getAssetsByOwner", byOwner],
  ["getAssetsByGroup", byGroup],
  ["getAssetsByCreator", "use searchAssets with creatorAddress"],
  ["getAssetsByAuthority", "use searchAssets with authorityAddress"],
  ["getAssetBatch", batch],
  ["getAssets", batch],
  ["getGrouping", `${byGroup} and limit 1; total is the size of the group`],
  ["getAssetProof", noProofs],
  ["getAssetProofBatch", noProofs],
  ["getAssetProofs", noProofs],
  ["getAssetSignatures", noHistory],
  ["getAssetSignaturesV2", noHistory],
  ["getSignaturesForAsset", noHistory],
  ["getSignaturesForAddress", noHistory],
  ["getTransaction", noHistory],
  ["getTransactionsForAddress", noHistory],
  ["getBlock", noHistory],
  ["getTokenAccounts", tokensOfOwner],
  ["getTokenAccountsByOwner", tokensOfOwner],
  [
    "getTokenAccountBalance",
    "use getAccountInfo with encoding jsonParsed; read value.data.parsed.info.tokenAmount",
  ],
  ["getBalance", "use getAccountInfo; read value.lamports"],
  ["getMultipleAccounts", accountBatch],
  ["getProgramAccounts", "use searchAssets for assets, or getTokenAccountsByDelegate for token accounts"],
  [
    "getTokenLargestAccounts",
    "use getLargestAccounts for lamports; the DAS method getTokenAccounts lists the holders of a token, where it is served",
  ],
  ["getSupply", "use getTokenSupply for a token; the supply of SOL is not answered"],
  ["getSlot", "use the X-Slot header of any answer, or context.slot of an account method"],
  ["getHealth", "use GET /readyz"],
  ["getVersion", "use rpc.discover; read info.version"],
  ["sendTransaction", noWrites],
  ["simulateTransaction", noWrites],
  ["requestAirdrop", noWrites],
  ["getLatestBlockhash", noWrites],
]);
