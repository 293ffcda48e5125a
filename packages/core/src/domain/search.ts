import type { AddressBytes } from "./address.ts";
import type { AssetFacts, Ordinal, OwnerModel } from "./asset.ts";
import type { FactCriterion } from "./fact-criteria.ts";

export type TokenType = "fungible" | "nonFungible" | "regularNft" | "compressedNft" | "all";

/**
 * Model `single` matches the one owner of an asset. Model `token` matches a holder of a positive amount in some token
 * account. Null matches either. `includeZero` counts empty token accounts too (showZeroBalance).
 */
export interface OwnerCriterion {
  readonly kind: "owner";
  readonly owner: AddressBytes;
  readonly ownerModel: OwnerModel | null;
  readonly includeZero: boolean;
}

/** Whether the criterion reads the index of fungible holdings, which a store may leave out. */
export const needsHoldings = (
  criterion: Criterion,
): criterion is OwnerCriterion & { readonly ownerModel: "token" | null } =>
  criterion.kind === "owner" && criterion.ownerModel !== "single";

/**
 * One condition on an asset. A missing value never matches; a criterion with companions (owner with model, creator
 * with verified flag) is one condition.
 */
export type Criterion =
  | FactCriterion
  | OwnerCriterion
  | { readonly kind: "creator"; readonly creator: AddressBytes; readonly verified: boolean | null }
  /** Without an address: whether any creator is (un)verified. */
  | { readonly kind: "creatorVerified"; readonly verified: boolean }
  /** Verified membership; `includeUnverified` (showUnverifiedCollections) also counts the others. */
  | {
      readonly kind: "group";
      readonly key: string;
      readonly value: string;
      readonly includeUnverified: boolean;
    }
  /** A creator address that receives a share (share > 0). */
  | { readonly kind: "royaltyTarget"; readonly target: AddressBytes }
  | { readonly kind: "tokenType"; readonly tokenType: TokenType }
  /** Case-insensitive substring of the name. */
  | { readonly kind: "name"; readonly name: string }
  /** Takes these facts (one bit of `inheritable`) from that collection. Never of a caller: part of `inheritedForm`. */
  | { readonly kind: "inherits"; readonly from: AddressBytes; readonly fact: number }
  /** A well-formed value that no asset can have (say, a grouping key unknown to the chain). */
  | { readonly kind: "nothing" };

export type SortKey = "id" | "created" | "updated" | "none";
export type SortDirection = "asc" | "desc";

/** Position of an asset in one order. */
export interface AssetPlace {
  /** Slot for `created` and `updated`, ordinal for `none`, 0 for `id`. */
  readonly position: number;
  readonly id: AddressBytes;
}

/** The start of a page. A query names its start in exactly one way. */
export type PageStart =
  /** 1-based. */
  | { readonly kind: "page"; readonly page: number }
  /** Matches to skip. Never of a caller: a layer reads the search below it so. */
  | { readonly kind: "offset"; readonly offset: number }
  /** The page that follows this asset in the chosen order. */
  | { readonly kind: "after"; readonly id: AddressBytes }
  /** The page directly before this asset, in the same order. */
  | { readonly kind: "before"; readonly id: AddressBytes }
  /** The page that follows a place of the chosen order. Never of a caller, as `offset`. */
  | { readonly kind: "place"; readonly place: AssetPlace }
  /** Opaque token of an earlier answer: carries the sort position, so that it survives the asset. */
  | { readonly kind: "cursor"; readonly cursor: string };

export interface AssetQuery {
  readonly criteria: readonly Criterion[];
  readonly match: "all" | "any";
  readonly negate: boolean;
  readonly sort: SortKey;
  readonly direction: SortDirection;
  readonly start: PageStart;
  /** 1 to 1000. */
  readonly limit: number;
  /** Collections as a view above the store has them, where they differ; others are as the store has them. */
  readonly shared?: readonly SharedRecord[];
}

/** A collection as its members inherit from it; null = there is none at this address. */
export interface SharedRecord {
  readonly id: AddressBytes;
  readonly facts: AssetFacts | null;
}

export interface AssetPage {
  /** Exact number of matches, regardless of the page. */
  readonly total: number;
  /** Assets of the page, in order. */
  readonly ordinals: readonly Ordinal[];
  /** Token for the next page, regardless of the start of this one; null if no match follows the last asset. */
  readonly cursor: string | null;
}
