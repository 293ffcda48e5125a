import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { FoundAsset, Ordinal, StoredAsset } from "../domain/asset.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import type { AssetPage, AssetQuery } from "../domain/search.ts";
import type { ItemsOfState } from "../caching/item-cache.ts";
import type { DelegateQuery, HoldingQuery, LargestAccount, LargestQuery } from "./account-reader.ts";
import type { EditionStart, StoredContent } from "./asset-reader.ts";
import type { Holding } from "./index-store.ts";
import type { PackedAssets, PackedContents } from "./packed-assets.ts";

/** An account, and the mint that it names if it is a token account. */
export interface AccountWithMint {
  readonly account: Account | null;
  /** The account at the first 32 bytes of a token account's data; null where there is none, or none is named. */
  readonly mint: Account | null;
}

/** The first page of the token accounts of a delegate. */
export interface DelegatedPage {
  /** The mint that was asked for; null where it does not exist, or a token program was asked for. */
  readonly mint: Account | null;
  /** Ascending by address; empty where what was asked for is no token program, or no mint of one. */
  readonly accounts: readonly Account[];
  /** Of the mints that the accounts name, those that exist. Null unless they were asked for. */
  readonly mints: readonly Account[] | null;
}

/** An asset with everything that its document is joined from. */
export interface WholeAsset {
  readonly own: FoundAsset;
  /** What its off-chain document adds; null where there is nothing. */
  readonly content: StoredContent | null;
  /** The collection that it takes facts from; null where it takes none, or the collection is unknown. */
  readonly collection: StoredAsset | null;
  /** Whether its tree has missing leaves. */
  readonly isTreeIncomplete: boolean;
}

/** Every kind of read: what it names, and its answer. All answers to a call are of one slot. */
interface Reads {
  account: { asked: { readonly address: AddressBytes }; answer: Account | null };
  accountWithMint: { asked: { readonly address: AddressBytes }; answer: AccountWithMint };
  /** Same order and length as the addresses, which may repeat. */
  accounts: { asked: { readonly addresses: readonly AddressBytes[] }; answer: readonly (Account | null)[] };
  /** Whether the newest stored version of the account is its closing. */
  isClosed: { asked: { readonly address: AddressBytes }; answer: boolean };
  /** The first page of a delegate's token accounts, by a mint or by a token program. */
  delegated: {
    asked: {
      readonly delegate: AddressBytes;
      readonly by: { readonly kind: "programId" | "mint"; readonly address: AddressBytes };
      readonly limit: number;
      /** Also the mints of the accounts. */
      readonly withMints: boolean;
    };
    answer: DelegatedPage;
  };
  /** Further pages of it. */
  moreDelegated: { asked: { readonly query: DelegateQuery }; answer: readonly Account[] };
  holdings: { asked: { readonly query: HoldingQuery }; answer: readonly Holding[] };
  largest: { asked: { readonly query: LargestQuery }; answer: readonly LargestAccount[] };
  asset: { asked: { readonly id: AddressBytes }; answer: WholeAsset | null };
  /** An asset as it is stored, without what it shares with others. */
  ownAsset: { asked: { readonly id: AddressBytes }; answer: FoundAsset | null };
  /** Same order and length as `ordinals`; null for those larger than `bytesMax`. */
  ownAssets: {
    asked: { readonly ordinals: readonly Ordinal[]; readonly bytesMax?: number };
    answer: readonly (StoredAsset | null)[];
  };
  /** What off-chain documents add, in the order of `uris`. */
  contents: {
    asked: { readonly uris: readonly string[]; readonly bytesMax?: number };
    answer: readonly (StoredContent | null)[];
  };
  packedAssets: {
    asked: { readonly ordinals: readonly Ordinal[]; readonly bytesMax: number };
    answer: PackedAssets;
  };
  packedContents: {
    asked: { readonly uris: readonly string[]; readonly bytesMax: number };
    answer: PackedContents;
  };
  /** Null where nothing is cached for these assets at this slot. */
  itemCache: { asked: { readonly ordinals: readonly Ordinal[] }; answer: ItemsOfState | null };
  masterEdition: { asked: { readonly mint: AddressBytes }; answer: MasterEdition | null };
  edition: { asked: { readonly mintOrAddress: AddressBytes }; answer: Edition | null };
  editions: {
    asked: { readonly parent: AddressBytes; readonly start: EditionStart; readonly limit: number };
    answer: readonly Edition[];
  };
  editionCount: { asked: { readonly parent: AddressBytes }; answer: number };
  search: { asked: { readonly query: AssetQuery }; answer: AssetPage };
}

export type ReadKind = keyof Reads;

/** One read of a kind, as plain data. */
export type ReadOf<Kind extends ReadKind> = Kind extends ReadKind
  ? { readonly kind: Kind } & Reads[Kind]["asked"]
  : never;

export type AnswerTo<Kind extends ReadKind> = Reads[Kind]["answer"];

/** What a method asks of a store. The kinds are a closed list, so that a store answers all of them. */
export type Read = ReadOf<ReadKind>;
