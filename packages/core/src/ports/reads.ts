import type { TreeTop } from "@lamplight/codecs";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, Slot } from "../domain/address.ts";
import type { BaseTokenAccount } from "../domain/base-token-account.ts";
import type { Ordinal, StoredAsset } from "../domain/asset.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import type { LeafState } from "../domain/leaf-state.ts";
import type { AssetPage, AssetQuery } from "../domain/search.ts";
import type { ItemsOfState } from "../caching/item-cache.ts";
import type {
  DelegateQuery,
  EditionStart,
  HeldQuery,
  HolderQuery,
  HoldingQuery,
  LargestAccount,
  LargestQuery,
  StoredContent,
  WalletQuery,
} from "./queries.ts";
import type { LedgerKind, LedgerState } from "./index-store.ts";
import type { Holding } from "../domain/account-facts.ts";
import type { Holder, HolderCount } from "../domain/holder.ts";
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
  /** The mints that the accounts name, as far as they exist. Null unless they were asked for. */
  readonly mints: readonly Account[] | null;
}

/** Token accounts of a mint, and how many it has. */
export interface HolderPage {
  readonly count: HolderCount;
  /** In the order asked. */
  readonly accounts: readonly BaseTokenAccount[];
}

/** A page of prints with their master edition. */
export interface EditionPage {
  /** Null where there is none; then the page is empty. */
  readonly master: MasterEdition | null;
  /** Exact number of known prints. */
  readonly count: number;
  /** Ascending by number. */
  readonly editions: readonly Edition[];
  /** Whether prints follow that are not on the page. */
  readonly hasMore: boolean;
}

/** A leaf, and what proves it. */
export interface LeafPath {
  readonly leaf: LeafState;
  /** Null where the store has no account of the tree. */
  readonly top: TreeTop | null;
  /** The states of `pathBlocks` below the canopy, null where no node is known. None without a top. */
  readonly blocks: readonly (LedgerState | null)[];
}

/** Every kind of read: what it names, and its answer. All answers to a call are of one slot. */
interface Reads {
  /** Null when the account does not exist at this slot. `data` is decoded and safe to keep. */
  account: { asked: { readonly address: AddressBytes }; answer: Account | null };
  accountWithMint: { asked: { readonly address: AddressBytes }; answer: AccountWithMint };
  /**
   * Same order and length as the addresses, which may repeat. `QUERY__OVER_BUDGET` where they hold more data than
   * `LISTED_BYTES_MAX`.
   */
  accounts: { asked: { readonly addresses: readonly AddressBytes[] }; answer: readonly (Account | null)[] };
  /** Whether the newest stored version of the account is its closing. False for one that was never stored. */
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
  /**
   * Token accounts of one program with an approved delegate (option tag exactly 1, state byte not 0, token-account
   * length), regardless of the delegated amount; ascending by address bytes. Reads an index, never scans.
   * `QUERY__OVER_BUDGET` where those of a page hold more data than `LISTED_BYTES_MAX`.
   */
  moreDelegated: { asked: { readonly query: DelegateQuery }; answer: readonly Account[] };
  /**
   * Token accounts of a wallet, empty ones too: in the order of the mints asked, of each mint ascending by address bytes.
   * `STORE__NOT_COVERED` where the store has no index of holdings.
   */
  holdings: { asked: { readonly query: HoldingQuery }; answer: readonly Holding[] };
  /**
   * Token accounts of a wallet for every mint, empty ones too: ascending by mint, of each mint by address bytes.
   * `STORE__NOT_COVERED` where the store has no index of holdings.
   */
  walletHoldings: { asked: { readonly query: WalletQuery }; answer: readonly Holding[] };
  /**
   * The token accounts of a wallet, in no order; null where they may be more than `limit`. `STORE__NOT_COVERED` where the
   * store has no index of holdings.
   */
  heldAccounts: { asked: { readonly query: HeldQuery }; answer: readonly BaseTokenAccount[] | null };
  /** Accounts that are token accounts at this slot, in the order of the addresses. */
  tokenAccounts: {
    asked: { readonly addresses: readonly AddressBytes[] };
    answer: readonly BaseTokenAccount[];
  };
  /** Token accounts of a mint in the order asked. `STORE__NOT_COVERED` where the store has no index of holders. */
  holders: { asked: { readonly query: HolderQuery }; answer: readonly Holder[] };
  /** Exact numbers of token accounts of a mint. `STORE__NOT_COVERED` where the store has no index of holders. */
  holderCount: { asked: { readonly mint: AddressBytes }; answer: HolderCount };
  /** The answers to `holders` and `holderCount`, with the accounts. */
  holderPage: { asked: { readonly query: HolderQuery }; answer: HolderPage };
  /**
   * The `limit` largest balances, descending; equal ones descending by address bytes. `nonCirculating` keeps only the
   * non-circulating accounts, `circulating` drops them. These are listed addresses, and stake accounts (initialized or
   * delegated) with a listed withdraw authority or a lockup whose timestamp or epoch is strictly later than `clock`.
   */
  largest: { asked: { readonly query: LargestQuery }; answer: readonly LargestAccount[] };
  /** An asset with everything that its document is joined from. */
  asset: {
    asked: { readonly id: AddressBytes };
    answer: {
      readonly own: StoredAsset;
      /** The slot of its last update. */
      readonly updatedSlot: Slot;
      /** The part that its off-chain document adds; null where there is nothing. */
      readonly content: StoredContent | null;
      /** The collection that it takes facts from; null where it takes none, or the collection is unknown. */
      readonly collection: StoredAsset | null;
      /** Its tree, base58, where this has missing leaves; else null. */
      readonly incompleteTree: string | null;
    } | null;
  };
  /** An asset as it is stored, without what it shares with others. */
  ownAsset: {
    asked: { readonly id: AddressBytes };
    answer: (StoredAsset & { readonly updatedSlot: Slot }) | null;
  };
  /** Whether a tree has missing leaves, where the view may not list all of these. */
  isTreeIncomplete: { asked: { readonly tree: AddressBytes }; answer: boolean };
  /** Compression states in the order of the keys; null where there is none. One statement, however many. */
  ledger: {
    asked: { readonly of: LedgerKind; readonly keys: readonly AddressBytes[] };
    answer: readonly (LedgerState | null)[];
  };
  /** What the account of a tree says of its leaves; null where there is no such account. The account may have megabytes. */
  treeTop: { asked: { readonly tree: AddressBytes }; answer: TreeTop | null };
  /** Null for an id without a leaf. */
  leafPath: { asked: { readonly id: AddressBytes }; answer: LeafPath | null };
  /**
   * Same order and length as `ordinals`, which all exist at this slot; null for assets whose document or extras are
   * larger than `bytesMax`. One statement, however many.
   */
  ownAssets: {
    asked: { readonly ordinals: readonly Ordinal[]; readonly bytesMax?: number };
    answer: readonly (StoredAsset | null)[];
  };
  /** The parts that off-chain documents add to `content`, in the order of `uris`; null where there is nothing. */
  contents: {
    asked: { readonly uris: readonly string[]; readonly bytesMax?: number };
    answer: readonly (StoredContent | null)[];
  };
  /** The answer of `ownAssets`, as bytes. */
  packedAssets: {
    asked: { readonly ordinals: readonly Ordinal[]; readonly bytesMax: number };
    answer: PackedAssets;
  };
  /** The answer of `contents`, as bytes. */
  packedContents: {
    asked: { readonly uris: readonly string[]; readonly bytesMax: number };
    answer: PackedContents;
  };
  /**
   * Finished items that are the same at this slot; null where these assets may have others, where reading them costs no
   * more, or where a store caches none.
   */
  itemCache: { asked: { readonly ordinals: readonly Ordinal[] }; answer: ItemsOfState | null };
  /** A print by its mint or by its edition address. */
  edition: { asked: { readonly mintOrAddress: AddressBytes }; answer: Edition | null };
  /** Ascending by number. The cost does not grow with the depth of `after` and `before`. */
  editions: {
    asked: { readonly parent: AddressBytes; readonly start: EditionStart; readonly limit: number };
    answer: readonly Edition[];
  };
  /** Exact number of known prints. */
  editionCount: { asked: { readonly parent: AddressBytes }; answer: number };
  /**
   * The answers to `editions` and `editionCount` for the master edition to which an edition account leads: a master leads
   * to itself, a print to its parent.
   */
  editionPage: {
    asked: { readonly address: AddressBytes; readonly start: EditionStart; readonly limit: number };
    answer: EditionPage;
  };
  /**
   * One page of the assets that match, and the exact number of all. `match` combines the criteria, and `negate` inverts
   * the result as a whole. Every asset matches a query without criteria. Equal assets are sorted by id bytes, in the
   * same direction. `PARAM__INVALID` for a `before`/`after` asset that does not exist or a broken cursor,
   * `PARAM__NOT_SUPPORTED_YET` for a criterion or an order that cannot be answered, `QUERY__OVER_BUDGET`.
   */
  search: { asked: { readonly query: AssetQuery }; answer: AssetPage };
}

export type ReadKind = keyof Reads;

/** One read of a kind, as plain data. */
export type ReadOf<Kind extends ReadKind> = {
  readonly [One in Kind]: { readonly kind: One } & Reads[One]["asked"];
}[Kind];

export type AnswerTo<Kind extends ReadKind> = Reads[Kind]["answer"];

/** A read that a method asks of a store. The kinds are a closed list, so that a store answers all of them. */
export type Read = ReadOf<ReadKind>;

/** Makes a read of each kind. */
export const reads = {
  account: (address: AddressBytes): ReadOf<"account"> => ({ kind: "account", address }),
  accountWithMint: (address: AddressBytes): ReadOf<"accountWithMint"> => ({
    kind: "accountWithMint",
    address,
  }),
  accounts: (addresses: readonly AddressBytes[]): ReadOf<"accounts"> => ({ kind: "accounts", addresses }),
  isClosed: (address: AddressBytes): ReadOf<"isClosed"> => ({ kind: "isClosed", address }),
  delegated: (asked: Omit<ReadOf<"delegated">, "kind">): ReadOf<"delegated"> => ({
    kind: "delegated",
    ...asked,
  }),
  moreDelegated: (query: DelegateQuery): ReadOf<"moreDelegated"> => ({ kind: "moreDelegated", query }),
  holdings: (query: HoldingQuery): ReadOf<"holdings"> => ({ kind: "holdings", query }),
  walletHoldings: (query: WalletQuery): ReadOf<"walletHoldings"> => ({ kind: "walletHoldings", query }),
  heldAccounts: (query: HeldQuery): ReadOf<"heldAccounts"> => ({ kind: "heldAccounts", query }),
  tokenAccounts: (addresses: readonly AddressBytes[]): ReadOf<"tokenAccounts"> => ({
    kind: "tokenAccounts",
    addresses,
  }),
  holders: (query: HolderQuery): ReadOf<"holders"> => ({ kind: "holders", query }),
  holderCount: (mint: AddressBytes): ReadOf<"holderCount"> => ({ kind: "holderCount", mint }),
  holderPage: (query: HolderQuery): ReadOf<"holderPage"> => ({ kind: "holderPage", query }),
  largest: (query: LargestQuery): ReadOf<"largest"> => ({ kind: "largest", query }),
  asset: (id: AddressBytes): ReadOf<"asset"> => ({ kind: "asset", id }),
  ownAsset: (id: AddressBytes): ReadOf<"ownAsset"> => ({ kind: "ownAsset", id }),
  isTreeIncomplete: (tree: AddressBytes): ReadOf<"isTreeIncomplete"> => ({ kind: "isTreeIncomplete", tree }),
  ledger: (of: LedgerKind, keys: readonly AddressBytes[]): ReadOf<"ledger"> => ({ kind: "ledger", of, keys }),
  treeTop: (tree: AddressBytes): ReadOf<"treeTop"> => ({ kind: "treeTop", tree }),
  leafPath: (id: AddressBytes): ReadOf<"leafPath"> => ({ kind: "leafPath", id }),
  ownAssets: (ordinals: readonly Ordinal[], bytesMax?: number): ReadOf<"ownAssets"> => ({
    kind: "ownAssets",
    ordinals,
    ...(bytesMax === undefined ? {} : { bytesMax }),
  }),
  contents: (uris: readonly string[], bytesMax?: number): ReadOf<"contents"> => ({
    kind: "contents",
    uris,
    ...(bytesMax === undefined ? {} : { bytesMax }),
  }),
  packedAssets: (ordinals: readonly Ordinal[], bytesMax: number): ReadOf<"packedAssets"> => ({
    kind: "packedAssets",
    ordinals,
    bytesMax,
  }),
  packedContents: (uris: readonly string[], bytesMax: number): ReadOf<"packedContents"> => ({
    kind: "packedContents",
    uris,
    bytesMax,
  }),
  itemCache: (ordinals: readonly Ordinal[]): ReadOf<"itemCache"> => ({ kind: "itemCache", ordinals }),
  edition: (mintOrAddress: AddressBytes): ReadOf<"edition"> => ({ kind: "edition", mintOrAddress }),
  editions: (parent: AddressBytes, start: EditionStart, limit: number): ReadOf<"editions"> => ({
    kind: "editions",
    parent,
    start,
    limit,
  }),
  editionCount: (parent: AddressBytes): ReadOf<"editionCount"> => ({ kind: "editionCount", parent }),
  editionPage: (address: AddressBytes, start: EditionStart, limit: number): ReadOf<"editionPage"> => ({
    kind: "editionPage",
    address,
    start,
    limit,
  }),
  search: (query: AssetQuery): ReadOf<"search"> => ({ kind: "search", query }),
} as const satisfies { readonly [Kind in ReadKind]: (...asked: never[]) => ReadOf<Kind> };
