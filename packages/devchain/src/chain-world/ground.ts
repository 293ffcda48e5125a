import type { AddressBytes, Transaction } from "@lamplight/core";
import type { Draft } from "../draft.ts";
import type { Journal } from "./journal.ts";
import type { LeafAsset } from "./leaf-assets.ts";
import type { CoreAsset, CoreCollection, CoreGroup } from "./core-assets.ts";
import type { TokenAsset } from "./token-assets.ts";

/** What the kinds of assets act on. */
export interface Ground {
  journal: Journal;
  /** An address that nothing has yet. */
  newAddress(): AddressBytes;
  write(draft: Draft): void;
  send(transaction: Transaction): void;
  putDocument(uri: string, json: string): void;
  /** The wallet that rules what no one else was named for. */
  authority(): AddressBytes;
}

/** One asset, a collection, or a group, as its kind keeps it. Replaced, never changed. */
export type Minted = TokenAsset | CoreAsset | CoreCollection | CoreGroup | LeafAsset;
