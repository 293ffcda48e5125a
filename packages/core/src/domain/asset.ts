import type { AddressBytes, Slot } from "./address.ts";

/**
 * Stores keep the position in this list: append only. No asset is a V1_PRINT, LEGACY_NFT, V2_NFT, Identity, Executable
 * or MplBubblegumV2; published clients may ask for them.
 */
export const assetInterfaces = [
  "V1_NFT",
  "V1_PRINT",
  "LEGACY_NFT",
  "V2_NFT",
  "FungibleAsset",
  "FungibleToken",
  "Custom",
  "Identity",
  "Executable",
  "ProgrammableNFT",
  "MplCoreAsset",
  "MplCoreCollection",
  "MplCoreGroup",
  "MplBubblegumV2",
] as const;
export type AssetInterface = (typeof assetInterfaces)[number];

/** Stores keep the position in these lists, too. */
export const ownerModels = ["single", "token"] as const;
export type OwnerModel = (typeof ownerModels)[number];
export const royaltyModels = ["creators", "fanout", "single"] as const;
export type RoyaltyModel = (typeof royaltyModels)[number];

export interface Creator {
  readonly address: AddressBytes;
  readonly verified: boolean;
  /** Percent, 0 to 100. */
  readonly share: number;
}

/** Membership of an asset in a group; `key` is `collection` or `group`, `value` base58 text. */
export interface Group {
  readonly key: string;
  readonly value: string;
  readonly verified: boolean;
}

/** The facts that an asset can take from its Core collection: bits of `Inheritance.facts`. */
export const inheritable = {
  authority: 1,
  /** Basis points and creators, as one. */
  royalty: 2,
  frozen: 4,
  /** The delegate is the collection's update authority. */
  delegate: 8,
  /** The document's member `mutable`. */
  mutable: 16,
} as const;

/**
 * The facts that an asset takes from the asset of its collection, which is read with it. Its own facts say nothing of
 * that.
 */
export interface Inheritance {
  /** A Core collection, which inherits nothing. */
  readonly from: AddressBytes;
  /** Bits of `inheritable`, at least one. */
  readonly facts: number;
}

/** In place of basis points that are inherited: no one searches for them. */
export const INHERITED_BASIS_POINTS = -1;

/**
 * The facts of one asset that searching, sorting and paging read; one row in a store.
 * Everything shown to a caller is in the finished document next to it.
 */
export interface AssetFacts {
  readonly id: AddressBytes;
  readonly interface: AssetInterface;
  readonly ownerModel: OwnerModel;
  /** Null when unknown and for fungibles. */
  readonly assetOwner: AddressBytes | null;
  readonly delegate: AddressBytes | null;
  readonly authority: AddressBytes | null;
  /** Raw units, 0 to 2^64 - 1; null when there is none. */
  readonly supply: bigint | null;
  /** The token mint behind the asset; null for Core and compressed assets. */
  readonly supplyMint: AddressBytes | null;
  readonly royaltyModel: RoyaltyModel;
  /** 0 to 65535, or `INHERITED_BASIS_POINTS`. */
  readonly basisPoints: number;
  readonly creators: readonly Creator[];
  readonly groups: readonly Group[];
  /** Null = all facts are its own. Criteria on inherited facts read the collection (`inheritedForm`). */
  readonly inherits: Inheritance | null;
  readonly compressed: boolean;
  readonly compressible: boolean;
  readonly frozen: boolean;
  readonly burnt: boolean;
  readonly mutable: boolean;
  readonly name: string;
  readonly jsonUri: string;
  /** Merkle tree of a compressed asset. */
  readonly tree: AddressBytes | null;
  readonly leafIndex: number | null;
  /** Lowest slot of any record or event ever received. */
  readonly createdSlot: Slot;
  /** Highest slot among the asset's own accounts, or of its last leaf event; its collection and off-chain JSON do not count. */
  readonly updatedSlot: Slot;
}

/** An asset as a store holds it: facts, its own public document, and what only the getAsset flags show. */
export interface Asset extends AssetFacts {
  /**
   * The JSON object that getAsset answers without flags, but for what an off-chain document adds to `content`:
   * verified groups only (without `verified`), no `token_info`. Text, so that it can be spliced into an answer.
   */
  readonly document: string;
  /**
   * JSON object of the members that only flags show, null when there are none:
   * `token_info` (showFungible), `grouping` with `verified` and unverified groups (showUnverifiedCollections),
   * `inscription` (showInscription); and first, where it inherits, `inherits` for `joinAsset`. `collection_info` = {name, symbol} as others show it under showCollectionMetadata.
   */
  readonly extras: string | null;
}

/** Dense number of an asset in one store: given once, never reused. */
export type Ordinal = number;

/** An asset read back from a store. */
export interface StoredAsset {
  readonly document: string;
  readonly extras: string | null;
}
