import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import { type Asset, emptyChangeSet } from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { coreCollection, coreMember } from "../core-members.ts";
import { keptStore } from "../kept-store.ts";

const SAMPLE_VERSION = 2;
const SEED = 11;
const COMMIT_ASSETS = 20_000;
const FIRST_SLOT = 200_000_000;

/** One wallet holds one asset in so many: the rest is spread thin, as on the chain. */
const WALLETS_PER_ASSET = 0.3;
const BUSY_WALLET_SHARE = 0.02;
const COLLECTIONS_PER_ASSET = 1 / 2000;
/** Share of the NFTs, without the compressed ones, that are MPL Core assets, which take facts from their collection. */
const CORE_SHARE = 0.3;
const CORE_DOCUMENT_BYTES = 500;

/** A store of so many generated assets, facts distributed roughly as on mainnet, built once per machine. */
export const sampleAssets = (assets: number, say: (line: string) => void): Promise<string> =>
  keptStore(`search-${assets}`, SAMPLE_VERSION, async (file) => {
    say(`building a store of ${assets} assets, seed ${SEED}`);
    const startMs = Date.now();
    const store = openSqliteStore({ file, mode: "write" });
    const random = new Random(SEED, 0, 0);
    await store.commit({
      ...emptyChangeSet,
      watermark: { slot: FIRST_SLOT, blockhash: null },
      assets: collectionAssets(assets),
    });
    for (let from = 0; from < assets; from += COMMIT_ASSETS) {
      const batch = Array.from({ length: Math.min(COMMIT_ASSETS, assets - from) }, (_, index) =>
        generatedAsset(random, from + index, assets),
      );
      await store.commit({
        ...emptyChangeSet,
        watermark: { slot: FIRST_SLOT + from, blockhash: null },
        assets: batch,
      });
    }
    await store.writeCoverage({ kind: "whole" });
    await store.close();
    say(`built in ${Math.round((Date.now() - startMs) / 1000)} s`);
  });

/** The same assets with ids that ascend, as a bulk load takes them. */
export function* ascendingAssets(assets: number): Generator<Asset> {
  const random = new Random(SEED, 0, 0);
  const collections = collectionAssets(assets).toSorted((a, b) => Buffer.compare(a.id, b.id));
  for (let index = 0; index < assets; index++) {
    const asset = generatedAsset(random, index, assets);
    Buffer.from(asset.id.buffer).writeUInt32BE(Math.floor((index / assets) * 2 ** 32));
    while (collections.length > 0 && Buffer.compare(collections[0]!.id, asset.id) < 0)
      yield collections.shift()!;
    yield asset;
  }
  yield* collections;
}

const collectionsOf = (assets: number): number => Math.max(10, Math.floor(assets * COLLECTIONS_PER_ASSET));

/** An MPL Core collection for each one that assets name. */
const collectionAssets = (assets: number): Asset[] => {
  const random = new Random(SEED, 0, 1);
  return Array.from({ length: collectionsOf(assets) }, (_, index) =>
    coreCollection(
      { ...plainAsset(random, index, assets), id: key("collection", index), groups: [] },
      CORE_DOCUMENT_BYTES,
    ),
  );
};

/** Addresses that the shapes of the bench ask for. */
export const busyWallet = (): Uint8Array => key("wallet", 0);
export const middleWallet = (): Uint8Array => key("wallet", 1234);
export const busyCollection = (): string => encodeAddress(key("collection", 0));
export const busyCreator = (): Uint8Array => key("creator", 0);

const kinds = ["wallet", "collection", "creator", "delegate", "authority", "tree"] as const;

/** 32 bytes that stand for one thing of a kind: spread over all prefixes, the same in every run. */
const key = (kind: (typeof kinds)[number], index: number): Uint8Array => {
  const random = new Random(SEED, kinds.indexOf(kind) + 1, index);
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at++) bytes[at] = random.below(256);
  return bytes;
};

/** Few get much: squared twice, the first of a list is met a thousand times as often as the last. */
const skewed = (random: Random, count: number): number =>
  Math.floor((random.below(1_000_000) / 1_000_000) ** 4 * count);

const generatedAsset = (random: Random, index: number, assets: number): Asset => {
  const asset = plainAsset(random, index, assets);
  const isCore = random.below(1000) < CORE_SHARE * 1000;
  if (!isCore || asset.compressed || asset.ownerModel === "token") return asset;
  return coreMember(asset, decodeAddress(asset.groups[0]!.value), CORE_DOCUMENT_BYTES);
};

/** An asset that inherits nothing. */
export const plainAsset = (random: Random, index: number, assets: number): Asset => {
  const id = new Uint8Array(32);
  for (let at = 0; at < 32; at++) id[at] = random.below(256);
  const compressed = random.below(100) < 60;
  const fungible = !compressed && random.below(100) < 5;
  const wallets = Math.max(2000, Math.floor(assets * WALLETS_PER_ASSET));
  const owner =
    random.below(1000) < BUSY_WALLET_SHARE * 1000 ? busyWallet() : key("wallet", 1 + skewed(random, wallets));
  const collection = encodeAddress(key("collection", skewed(random, collectionsOf(assets))));
  const creator = key("creator", skewed(random, Math.max(10, Math.floor(assets / 500))));
  const slot = FIRST_SLOT + index;
  const text = encodeAddress(id);
  return {
    id,
    interface: fungible ? "FungibleToken" : random.below(10) === 0 ? "ProgrammableNFT" : "V1_NFT",
    ownerModel: fungible ? "token" : "single",
    assetOwner: fungible ? null : owner,
    delegate: random.below(100) < 2 ? key("delegate", random.below(50)) : null,
    authority: key("authority", skewed(random, 5000)),
    supply: fungible ? BigInt(random.below(1_000_000)) : 1n,
    supplyMint: compressed ? null : id,
    royaltyModel: "creators",
    basisPoints: random.below(11) * 100,
    creators: [{ address: creator, verified: random.below(10) > 0, share: 100 }],
    inherits: null,
    groups: fungible ? [] : [{ key: "collection", value: collection, verified: random.below(10) > 0 }],
    compressed,
    compressible: false,
    frozen: random.below(100) < 3,
    burnt: random.below(100) < 8,
    mutable: true,
    name: `Asset #${index}`,
    jsonUri: `https://example.com/${index}.json`,
    tree: compressed ? key("tree", random.below(200)) : null,
    leafIndex: compressed ? index : null,
    createdSlot: slot - random.below(1000),
    updatedSlot: slot + random.below(1_000_000),
    document: `{"interface":"V1_NFT","id":"${text}","content":{"metadata":{"name":"Asset #${index}"}},"pad":"${"x".repeat(400)}"}`,
    extras: null,
  };
};
