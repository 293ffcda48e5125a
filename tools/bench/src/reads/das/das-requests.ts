import { decodeTokenAccount, editionAddress, encodeAddress, isTokenAccount } from "@lamplight/codecs";
import type { Asset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { spread } from "../spread.ts";
import { livingAssets } from "./asset-requests.ts";

const pageValue = { page: 1, limit: 50 };
const ASSETS_AT_ONCE = 100;
const PROOFS_AT_ONCE = 20;
/** The token accounts of a mint or wallet are one page, since das_api has no order of them. */
const ACCOUNTS_MAX = 1000;

/** Calls of each DAS method by what they measure, about what is spread evenly over the store. Each goes to both servers. */
export const dasRequests = async (
  storeFile: string,
  wanted: number,
): Promise<Readonly<Record<string, readonly object[]>>> => {
  const [ids, coreIds, leafIds] = [[], [], []] as [string[], string[], string[]];
  const [owners, creators, authorities, groups] = Array.from({ length: 4 }, () => new Set<string>());
  // Assets of each kind follow each other, so that a share of all would have few of the rare ones.
  for (const asset of await livingAssets(storeFile, wanted * 10)) {
    listOf(asset, { ids, coreIds, leafIds }).push(encodeAddress(asset.id));
    if (asset.ownerModel === "single" && asset.assetOwner !== null)
      owners!.add(encodeAddress(asset.assetOwner));
    for (const { address } of asset.creators) creators!.add(encodeAddress(address));
    if (asset.authority !== null) authorities!.add(encodeAddress(asset.authority));
    for (const { value, verified } of asset.groups) if (verified) groups!.add(value);
  }
  const some = (values: Iterable<string>): readonly string[] => spread([...values], wanted);
  const { mints, wallets } = await tokenAccountsOf(storeFile);
  return {
    getAsset: some(ids).map((id) => ({ method: "getAsset", params: { id } })),
    "getAsset, MPL Core": some(coreIds).map((id) => ({ method: "getAsset", params: { id } })),
    "getAsset, compressed": some(leafIds).map((id) => ({ method: "getAsset", params: { id } })),
    [`getAssetBatch, ${ASSETS_AT_ONCE} assets`]: batches("getAssetBatch", ids, ASSETS_AT_ONCE, wanted),
    getAssetProof: some(leafIds).map((id) => ({ method: "getAssetProof", params: { id } })),
    [`getAssetProofBatch, ${PROOFS_AT_ONCE} proofs`]: batches(
      "getAssetProofBatch",
      leafIds,
      PROOFS_AT_ONCE,
      wanted,
    ),
    getAssetsByOwner: pages("getAssetsByOwner", "ownerAddress", some(owners!)),
    getAssetsByCreator: pages("getAssetsByCreator", "creatorAddress", some(creators!)),
    getAssetsByAuthority: pages("getAssetsByAuthority", "authorityAddress", some(authorities!)),
    getAssetsByGroup: some(groups!).map((groupValue) => ({
      method: "getAssetsByGroup",
      params: { groupKey: "collection", groupValue, ...pageValue },
    })),
    "searchAssets, wallet": pages("searchAssets", "ownerAddress", some(owners!), { burnt: false }),
    "searchAssets, wallet, with fungible tokens": pages("searchAssets", "ownerAddress", some(wallets), {
      tokenType: "All",
      // das_api counts an asset once for each token account, so that its pages are shorter.
      limit: 1000,
      options: { showFungible: true },
    }),
    "getTokenAccounts, wallet": some(wallets).map((ownerAddress) => ({
      method: "getTokenAccounts",
      params: { ownerAddress },
    })),
    "getTokenAccounts, mint": some(mints).map((mintAddress) => ({
      method: "getTokenAccounts",
      params: { mintAddress },
    })),
    getNftEditions: spread(await mintsOfMasters(storeFile), wanted).map((mintAddress) => ({
      method: "getNftEditions",
      params: { mintAddress },
    })),
  };
};

/** The ids of one kind of asset. */
interface Ids {
  readonly ids: string[];
  readonly coreIds: string[];
  readonly leafIds: string[];
}

const listOf = (asset: Asset, { ids, coreIds, leafIds }: Ids): string[] => {
  if (asset.compressed) return leafIds;
  return asset.interface === "MplCoreAsset" ? coreIds : ids;
};

const pages = (method: string, name: string, addresses: readonly string[], more: object = {}): object[] =>
  addresses.map((address) => ({ method, params: { [name]: address, ...pageValue, ...more } }));

/** Each batch begins with another id, and takes the next ones. */
const batches = (method: string, ids: readonly string[], size: number, wanted: number): object[] =>
  spread([...ids.keys()], wanted).map((from) => ({
    method,
    params: {
      ids: Array.from({ length: Math.min(size, ids.length) }, (_, at) => ids[(from + at) % ids.length]),
    },
  }));

/** Those with several token accounts, but not more than a page. */
interface TokenAccounts {
  readonly mints: readonly string[];
  readonly wallets: readonly string[];
}

const tokenAccountsOf = async (storeFile: string): Promise<TokenAccounts> => {
  const store = openSqliteExport(storeFile);
  const [mints, wallets] = [new Map<string, number>(), new Map<string, number>()];
  try {
    for await (const page of store.pages("accounts"))
      for (const { current } of page) {
        const account = isTokenAccount(current.data) ? decodeTokenAccount(current.data) : null;
        if (account === null || account.amount === 0n) continue;
        count(mints, encodeAddress(account.mint));
        count(wallets, encodeAddress(account.tokenOwner));
      }
  } finally {
    await store.close();
  }
  return { mints: severalOf(mints), wallets: severalOf(wallets) };
};

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

const severalOf = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts].filter(([, number]) => number > 1 && number <= ACCOUNTS_MAX).map(([key]) => key);

/** Mints of master editions that have prints, and whose edition account is where the program keeps it. */
const mintsOfMasters = async (storeFile: string): Promise<readonly string[]> => {
  const store = openSqliteExport(storeFile);
  const masters = new Set<string>();
  const mints: string[] = [];
  try {
    for await (const page of store.pages("editions"))
      for (const { parent } of page) masters.add(encodeAddress(parent));
    for await (const page of store.pages("assets"))
      for (const { id, document } of page) {
        const { supply } = JSON.parse(document) as { supply?: { print_current_supply?: number } };
        if (!(Number(supply?.print_current_supply) > 0)) continue;
        if (masters.has(encodeAddress(editionAddress(id, null)))) mints.push(encodeAddress(id));
      }
    return mints;
  } finally {
    await store.close();
  }
};
