import { decodeTokenAccount, editionAddress, encodeAddress, isTokenAccount } from "@lamplight/codecs";
import type { Asset } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import { spread } from "../spread.ts";
import { livingAssets } from "./asset-requests.ts";

const pageValue = { page: 1, limit: 50 };
const ASSETS_AT_ONCE = 100;
const PROOFS_AT_ONCE = 20;
/** The token accounts of a mint are one page, since das_api has no order of them. */
const HOLDERS_MAX = 1000;

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
  const { mints, wallets } = await tokenAccountsOf(storeFile, wanted);
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
      tokenType: "all",
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
  addresses.map((address) => ({ method, params: { [name]: address, ...more, ...pageValue } }));

/** Each batch begins with another id, and takes the next ones. */
const batches = (method: string, ids: readonly string[], size: number, wanted: number): object[] =>
  spread([...ids.keys()], wanted).map((from) => ({
    method,
    params: {
      ids: Array.from({ length: Math.min(size, ids.length) }, (_, at) => ids[(from + at) % ids.length]),
    },
  }));

interface TokenAccounts {
  /** Mints of fungible tokens that have several token accounts, but not more than a page. */
  readonly mints: readonly string[];
  /** Owners of fungible tokens. */
  readonly wallets: readonly string[];
}

const tokenAccountsOf = async (storeFile: string, wanted: number): Promise<TokenAccounts> => {
  const store = openSqliteExport(storeFile);
  const holders = new Map<string, string[]>();
  try {
    for await (const page of store.pages("accounts"))
      for (const { current } of page) {
        const account = isTokenAccount(current.data) ? decodeTokenAccount(current.data) : null;
        if (account === null || account.amount === 0n) continue;
        const mint = encodeAddress(account.mint);
        const owner = encodeAddress(account.tokenOwner);
        if (holders.get(mint)?.push(owner) === undefined) holders.set(mint, [owner]);
      }
  } finally {
    await store.close();
  }
  const several = [...holders].filter(([, owners]) => owners.length > 1);
  return {
    mints: several.filter(([, owners]) => owners.length <= HOLDERS_MAX).map(([mint]) => mint),
    wallets: spread([...new Set(several.flatMap(([, owners]) => owners))], wanted),
  };
};

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
