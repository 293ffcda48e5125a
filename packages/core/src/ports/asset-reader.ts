import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { Ordinal, StoredAsset } from "../domain/asset.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import type { AssetPage, AssetQuery } from "../domain/search.ts";

/** Own documents of assets at the slot of the read view, and what they share: `joinAsset` makes finished ones. */
export interface AssetReader {
  findAsset(id: AddressBytes): MaybePromise<StoredAsset | null>;
  /**
   * Same order and length as `ordinals`, which all exist at this slot. One statement, however many.
   *
   * @param bytesMax - null takes the place of an asset whose document or extras are larger, unread; by default none is
   */
  getAssets(ordinals: readonly Ordinal[], bytesMax?: number): MaybePromise<readonly (StoredAsset | null)[]>;
  /**
   * What the off-chain documents behind these URIs add to `content`; null where there is nothing. Same order as asked.
   *
   * @param bytesMax - larger parts are not read; by default all are
   */
  readContents(uris: readonly string[], bytesMax?: number): MaybePromise<readonly (StoredContent | null)[]>;
}

/** What an off-chain document adds to the assets that name it. */
export interface StoredContent {
  /** Finished text, as `contentParts` made it; null where it is larger than was asked for. */
  readonly parts: string | null;
}

export type EditionStart =
  /** Rows to skip from the first edition. */
  | { readonly kind: "offset"; readonly offset: number }
  /** Editions with a number above. */
  | { readonly kind: "after"; readonly number: bigint }
  /** The `limit` editions directly below, still ascending. */
  | { readonly kind: "before"; readonly number: bigint };

/** Prints of master editions at the slot of the read view. */
export interface EditionReader {
  /** The master edition account of this mint, or, when the mint is itself a print, its master's. */
  findMasterEdition(mint: AddressBytes): MaybePromise<MasterEdition | null>;
  /** A print by its mint or by its edition address. */
  findEdition(mintOrAddress: AddressBytes): MaybePromise<Edition | null>;
  /** Ascending by number; costs the page, not the depth, for `after` and `before`. */
  listEditions(parent: AddressBytes, start: EditionStart, limit: number): MaybePromise<readonly Edition[]>;
  countEditions(parent: AddressBytes): MaybePromise<number>;
}

export interface SearchReader {
  /**
   * Exact: the criteria form one boolean group (`match`, then `negate` of the whole) over all existing assets; no
   * criteria = every asset. Ties in a sort go by id bytes, in the same direction.
   *
   * @throws LamplightError `PARAM__INVALID` for a `before`/`after` asset that does not exist or a broken cursor
   * @throws LamplightError `QUERY__OVER_BUDGET`
   * @throws LamplightError `PARAM__NOT_SUPPORTED_YET` naming the criterion or order this reader cannot answer
   */
  searchAssets(query: AssetQuery, signal?: AbortSignal): MaybePromise<AssetPage>;
}
