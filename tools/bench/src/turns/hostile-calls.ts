import { textOf } from "./hostile-store.ts";

/** Requests that a caller with a key may send, and that cost as much as anything does. */
export interface HostileCall {
  readonly name: string;
  readonly body: string;
  /** One statement, or one account of 10 MiB, may take longer than the other turns: why. */
  readonly single?: string;
}

const call = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const batch = (count: number, method: string, params: object): string =>
  `[${Array.from({ length: count }, (_, id) => call(id, method, params)).join(",")}]`;

const search = (params: object): string => call(1, "searchAssets", params);

const holder = { ownerAddress: textOf("holder") };
const owner = { ownerAddress: textOf("owner") };
const delegated = {
  address: textOf("delegate"),
  accountDetails: { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" },
};

export const hostileCalls = (prints: number): readonly HostileCall[] => [
  { name: "100 searches of 1000 items", body: batch(100, "searchAssets", { ...owner, limit: 1000 }) },
  {
    name: "100 searches of 1000 items with options",
    body: batch(100, "searchAssets", { ...owner, limit: 1000, options: { showFungible: true } }),
  },
  { name: "owner of many mints", body: search({ ...holder, limit: 1000 }) },
  { name: "100 × owner of many mints", body: batch(100, "searchAssets", { ...holder, limit: 1 }) },
  { name: "name among many assets", body: search({ ...owner, name: "lantern #99", limit: 1000 }) },
  { name: "20 × name among many assets", body: batch(20, "searchAssets", { ...owner, name: "#9" }) },
  {
    name: "20 × last page of editions",
    body: batch(20, "getNftEditions", {
      mint: textOf("master"),
      page: Math.floor(prints / 1000),
      limit: 1000,
    }),
  },
  { name: "delegate of many accounts", body: call(1, "getTokenAccountsByDelegate", delegated) },
  {
    name: "delegate of many accounts, parsed",
    body: call(1, "getTokenAccountsByDelegate", { ...delegated, config: { encoding: "jsonParsed" } }),
  },
  { name: "large documents", body: search({ ownerAddress: textOf("large"), limit: 1000 }) },
  {
    name: "large document with options",
    body: call(1, "getAsset", { id: textOf("large"), options: { showCollectionMetadata: true } }),
    single: "one document of 2 MiB",
  },
  {
    name: "account of 10 MiB",
    body: call(1, "getAccountInfo", { address: textOf("account"), config: { encoding: "base64" } }),
    single: "one account of 10 MiB",
  },
  {
    name: "20 × account of 10 MiB",
    body: batch(20, "getAccountInfo", { address: textOf("account"), config: { encoding: "base64" } }),
    single: "one account of 10 MiB",
  },
];
