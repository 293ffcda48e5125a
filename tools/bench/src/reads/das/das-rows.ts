import { decodeAddress } from "@lamplight/codecs";
import type { Asset, AssetInterface } from "@lamplight/core";
import { addressOrNull } from "./address-or-null.ts";
import type { DasRow, DasRows } from "./das-tables.ts";

/** The members of a finished document that no column of facts has. */
interface Document {
  readonly content: { readonly metadata: Readonly<Record<string, unknown>> };
  readonly compression: {
    readonly seq: number;
    readonly asset_hash: string;
    readonly data_hash: string;
    readonly creator_hash: string;
    readonly collection_hash?: string;
    readonly asset_data_hash?: string;
    readonly flags?: number;
  };
  readonly ownership: { readonly non_transferable?: boolean };
  readonly royalty: { readonly target: string | null; readonly primary_sale_happened: boolean };
  readonly supply?: { readonly edition_nonce?: number | null };
  readonly uses?: { readonly use_method: string };
  readonly mint_extensions?: unknown;
  readonly plugins?: unknown;
  readonly unknown_plugins?: unknown;
  readonly external_plugins?: unknown;
  readonly unknown_external_plugins?: unknown;
  readonly mpl_core_info?: {
    readonly num_minted?: number;
    readonly current_size?: number;
    readonly plugins_json_version: number;
  };
}

interface TokenInfo {
  readonly decimals: number;
  readonly token_program: string;
  readonly mint_authority?: string;
  readonly freeze_authority?: string;
}

const classes: Partial<Record<AssetInterface, string>> = {
  V1_NFT: "NFT",
  ProgrammableNFT: "PROGRAMMABLE_NFT",
  FungibleAsset: "FUNGIBLE_ASSET",
  FungibleToken: "FUNGIBLE_TOKEN",
  MplCoreAsset: "MPL_CORE_ASSET",
  MplCoreCollection: "MPL_CORE_COLLECTION",
};

/** The column holds no more characters. */
const URL_MAX = 200;

/** The rows that an indexer of das_api would have written for this asset. */
export const dasRowsOf = (asset: Asset): DasRows => {
  const document = JSON.parse(asset.document) as Document;
  const { token_info: token } = JSON.parse(asset.extras ?? "{}") as { readonly token_info?: TokenInfo };
  const common = { slot_updated: asset.updatedSlot, seq: 0 };
  return {
    asset_data: [dataRow(asset, document)],
    asset: [assetRow(asset, document)],
    asset_authority:
      asset.authority === null ? [] : [{ asset_id: asset.id, authority: asset.authority, ...common }],
    asset_creators: asset.creators.map(({ address, share, verified }, position) => ({
      asset_id: asset.id,
      creator: address,
      share,
      verified,
      position,
      ...common,
    })),
    asset_grouping: asset.groups.map(({ key, value, verified }) => ({
      asset_id: asset.id,
      group_key: key,
      group_value: value,
      verified,
      group_info_seq: 0,
      ...common,
    })),
    tokens: token === undefined ? [] : [tokenRow(asset, token)],
  };
};

const dataRow = (asset: Asset, { content, royalty, supply, uses }: Document): DasRow<"asset_data"> => {
  const { name = "", symbol = "", token_standard: standard } = content.metadata;
  const chainData = {
    name,
    symbol,
    token_standard: standard,
    edition_nonce: supply?.edition_nonce,
    primary_sale_happened: royalty.primary_sale_happened,
    uses: uses && { ...uses, use_method: capitalized(uses.use_method) },
  };
  return {
    id: asset.id,
    chain_data_mutability: asset.mutable ? "mutable" : "immutable",
    chain_data: jsonbText(chainData),
    metadata_url: asset.jsonUri.slice(0, URL_MAX),
    metadata_mutability: "mutable",
    metadata: "{}",
    slot_updated: asset.updatedSlot,
    raw_name: Buffer.from(String(name)),
    raw_symbol: Buffer.from(String(symbol)),
  };
};

const assetRow = (asset: Asset, document: Document): DasRow<"asset"> => ({
  id: asset.id,
  specification_version: "v1",
  specification_asset_class: classes[asset.interface] ?? "unknown",
  owner: asset.assetOwner,
  owner_type: asset.ownerModel,
  delegate: asset.delegate,
  frozen: asset.frozen,
  supply: asset.supply ?? 1n,
  supply_mint: asset.supplyMint,
  compressed: asset.compressed,
  compressible: asset.compressible,
  tree_id: asset.tree,
  nonce: asset.leafIndex ?? 0,
  royalty_target_type: asset.royaltyModel,
  royalty_target: addressOrNull(document.royalty.target),
  royalty_amount: asset.basisPoints,
  asset_data: asset.id,
  burnt: asset.burnt,
  slot_updated: asset.updatedSlot,
  mint_extensions: jsonbOrNull(document.mint_extensions),
  ...leafColumns(document),
  ...coreColumns(document),
});

const leafColumns = ({ compression, ownership }: Document) => ({
  seq: compression.seq,
  leaf: compression.asset_hash === "" ? null : decodeAddress(compression.asset_hash),
  // Shorter texts are filled up with blanks, the empty one, too.
  data_hash: compression.data_hash || null,
  creator_hash: compression.creator_hash || null,
  collection_hash: compression.collection_hash ?? null,
  asset_data_hash: compression.asset_data_hash ?? null,
  bubblegum_flags: compression.flags ?? null,
  non_transferable: ownership.non_transferable ?? null,
});

const coreColumns = (document: Document) => ({
  mpl_core_plugins: jsonbOrNull(document.plugins),
  mpl_core_unknown_plugins: jsonbOrNull(document.unknown_plugins),
  mpl_core_external_plugins: jsonbOrNull(document.external_plugins),
  mpl_core_unknown_external_plugins: jsonbOrNull(document.unknown_external_plugins),
  mpl_core_collection_num_minted: document.mpl_core_info?.num_minted ?? null,
  mpl_core_collection_current_size: document.mpl_core_info?.current_size ?? null,
  mpl_core_plugins_json_version: document.mpl_core_info?.plugins_json_version ?? null,
});

const tokenRow = (asset: Asset, token: TokenInfo): DasRow<"tokens"> => ({
  mint: asset.id,
  // The number in the text has more digits than JSON.parse keeps.
  supply: asset.supply,
  decimals: token.decimals,
  token_program: decodeAddress(token.token_program),
  mint_authority: addressOrNull(token.mint_authority),
  freeze_authority: addressOrNull(token.freeze_authority),
  slot_updated: asset.updatedSlot,
});

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const jsonbOrNull = (value: unknown): string | null => (value === undefined ? null : jsonbText(value));

/** `jsonb` refuses the character zero. */
const jsonbText = (value: unknown): string => JSON.stringify(value).replaceAll("\\u0000", "");
