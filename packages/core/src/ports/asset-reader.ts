import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { FoundAsset, Ordinal, StoredAsset } from "../domain/asset.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import type { AssetPage, AssetQuery } from "../domain/search.ts";
import type { ItemsOfState } from "../caching/item-cache.ts";
import type { PackedAssets, PackedContents } from "./packed-assets.ts";

/** Stored parts of assets at the slot of the read view. `joinAsset` makes finished documents of them. */
export interface AssetReader {
  /** Null when there is no such asset. */
  findAsset(id: AddressBytes): MaybePromise<FoundAsset | null>;
  /**
   * Same order and length as `ordinals`, which all exist at this slot. One statement, however many.
   *
   * @param bytesMax - null is answered for an asset whose document or extras are larger; default: no bound
   */
  getAssets(ordinals: readonly Ordinal[], bytesMax?: number): MaybePromise<readonly (StoredAsset | null)[]>;
  /**
   * What the off-chain documents of these URIs add to `content`, in the order of `uris`; null where there is nothing.
   *
   * @param bytesMax - larger parts are not read; default: no bound
   */
  readContents(uris: readonly string[], bytesMax?: number): MaybePromise<readonly (StoredContent | null)[]>;
  /** What `getAssets` answers, as bytes; absent where a store has nothing faster than to pack that. */
  packAssets?(ordinals: readonly Ordinal[], bytesMax: number): MaybePromise<PackedAssets>;
  /** What `readContents` answers, as bytes; absent as above. */
  packContents?(uris: readonly string[], bytesMax: number): MaybePromise<PackedContents>;
  /**
   * Finished items that are the same at the slot of this view; null where these assets may have others, or where reading
   * them costs no more. Absent where a store caches none.
   */
  itemCache?(ordinals: readonly Ordinal[]): MaybePromise<ItemsOfState | null>;
}

/** What an off-chain document adds to the assets that name it. */
export interface StoredContent {
  /** JSON text made by `contentParts`; null where it is larger than `bytesMax`. */
  readonly parts: string | null;
}

/** Where a list of prints starts. */
export type EditionStart =
  /** Rows to skip from the first edition. */
  | { readonly kind: "offset"; readonly offset: number }
  /** Editions with a larger number. */
  | { readonly kind: "after"; readonly number: bigint }
  /** The `limit` editions directly below this number, also ascending. */
  | { readonly kind: "before"; readonly number: bigint };

/** Prints of master editions at the slot of the read view. */
export interface EditionReader {
  /** The master edition of this mint; of a print, that of its master. Null when there is none. */
  findMasterEdition(mint: AddressBytes): MaybePromise<MasterEdition | null>;
  /** A print by its mint or by its edition address; null when there is none. */
  findEdition(mintOrAddress: AddressBytes): MaybePromise<Edition | null>;
  /** Ascending by number. With `after` and `before` the cost does not grow with the depth. */
  listEditions(parent: AddressBytes, start: EditionStart, limit: number): MaybePromise<readonly Edition[]>;
  /** Exact number of known prints. */
  countEditions(parent: AddressBytes): MaybePromise<number>;
}

/** Searches at the slot of the read view. */
export interface SearchReader {
  /**
   * One page of the assets that match, and the exact number of all. `match` combines the criteria, and `negate` inverts
   * the result as a whole. Without criteria every asset matches. Equal assets are sorted by id bytes, in the same
   * direction.
   *
   * @throws LamplightError `PARAM__INVALID` for a `before`/`after` asset that does not exist or a broken cursor
   * @throws LamplightError `QUERY__OVER_BUDGET`
   * @throws LamplightError `PARAM__NOT_SUPPORTED_YET` naming the criterion or order this reader cannot answer
   */
  searchAssets(query: AssetQuery, signal?: AbortSignal): MaybePromise<AssetPage>;
}
