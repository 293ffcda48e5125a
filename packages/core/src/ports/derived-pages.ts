import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Asset } from "../domain/asset.ts";
import type { Edition } from "../domain/edition.ts";
import type { Link } from "./index-store.ts";

/** All links and seen slots of some addresses; no later page has more of them. */
export interface DerivedLinks {
  /** Ascending by target, by the place of the role in `linkRoles`, and by source. */
  readonly links: readonly Link[];
  /** Lowest slot by asset id, ascending by id. */
  readonly seen: readonly { readonly id: AddressBytes; readonly slot: Slot }[];
}

/** New assets, ascending by id, with their editions. Derived during iteration, which is possible once. */
export type DerivedAssets = Iterable<AssetWithEditions>;

/** An asset, and the print that its edition account describes. */
export interface AssetWithEditions {
  /** Null where an address has editions but no asset. */
  readonly asset: Asset | null;
  /** Prints that were derived from the same accounts. */
  readonly editions: readonly Edition[];
}
