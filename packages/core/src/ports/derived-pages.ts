import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Asset } from "../domain/asset.ts";
import type { Edition } from "../domain/edition.ts";
import type { Link } from "./index-store.ts";

/**
 * Links and seen slots of some addresses, all of each: nothing more comes for them. Ascending: by target, by the place
 * of the role in `linkRoles`, by source; by id.
 */
export interface DerivedLinks {
  readonly links: readonly Link[];
  readonly seen: readonly { readonly id: AddressBytes; readonly slot: Slot }[];
}

/** New assets, ascending by id, with the editions they prove. Derived as they are asked for, once. */
export type DerivedAssets = Iterable<AssetWithEditions>;

export interface AssetWithEditions {
  /** Null where nothing but editions is known at an address. */
  readonly asset: Asset | null;
  readonly editions: readonly Edition[];
}
