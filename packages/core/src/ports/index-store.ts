import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise, Slot } from "../domain/address.ts";
import type { Asset, Ordinal } from "../domain/asset.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { Edition } from "../domain/edition.ts";
import type { OffchainStore } from "./offchain-store.ts";

/**
 * The last that is known of an account: its living version, or, once closed, the slot of the closing and, where the
 * indexer asked for it, the last living version (a burnt asset stays readable).
 */
export interface AccountState {
  /** The version that counts: a living one, or a tombstone (lamports 0n, empty data). */
  readonly current: Account;
  /**
   * The newest version that reported of an asset, kept where `current` no longer does: it is a tombstone, or a living
   * account that was emptied or taken over. Null when none is kept.
   */
  readonly lastLife: Account | null;
}

/** Why an account matters to an asset it does not name by its own address. */
export const linkRoles = ["metadata", "edition", "holder", "member", "inscription"] as const;
export type LinkRole = (typeof linkRoles)[number];

/**
 * From an asset (or edition, or collection) address to an account that describes it:
 * `metadata` mint → metadata account · `edition` edition account → metadata account whose mint it belongs to ·
 * `holder` mint → token account holding exactly 1 · `member` Core collection → its asset · `inscription` root mint → inscription.
 */
export interface Link {
  readonly role: LinkRole;
  readonly target: AddressBytes;
  readonly source: AddressBytes;
}

/** A token account as `ownerAddress` searches it; kept for empty ones too (showZeroBalance). */
export interface Holding {
  readonly tokenAccount: AddressBytes;
  readonly tokenOwner: AddressBytes;
  readonly mint: AddressBytes;
  /** Amount above zero. */
  readonly positive: boolean;
}

/** A stake account that may count as non-circulating; evaluated at the clock of each answer. */
export interface NonCirculatingStake {
  readonly address: AddressBytes;
  readonly lamports: bigint;
  readonly lockupTimestamp: bigint;
  readonly lockupEpoch: bigint;
  /** Its withdraw authority is on the list: held regardless of what the lockup says. */
  readonly listedWithdrawer: boolean;
}

/** What secondary indexes hold of one account; a pure function of its bytes (`deriveAccountFacts`). */
export interface AccountFacts {
  readonly delegate: AddressBytes | null;
  readonly delegateMint: AddressBytes | null;
  readonly holding: Holding | null;
  readonly nonCirculatingStake: NonCirculatingStake | null;
}

export interface AccountWrite {
  readonly state: AccountState;
  readonly facts: AccountFacts;
}

/**
 * State of one compressed leaf (folded from transactions) or one tree, as JSON text: of a leaf opaque to the store, of
 * a tree a `TreeState`, which shows views what is missing.
 */
export interface LedgerState {
  /** Asset id, or tree address. */
  readonly key: AddressBytes;
  readonly kind: "leaf" | "tree";
  /** Tree of a leaf; the key itself for a tree. */
  readonly tree: AddressBytes;
  readonly state: string;
}

/** One atomic step of the index. Within a list a key appears at most once. */
export interface ChangeSet {
  /** Moves the watermark when set; never backwards. */
  readonly watermark: Watermark | null;
  readonly accounts: readonly AccountWrite[];
  readonly linksAdded: readonly Link[];
  readonly linksRemoved: readonly Link[];
  /** Inserted or replaced by id; ordinals are given by the store on first insert. */
  readonly assets: readonly Asset[];
  /** Assets that never were (a mint that turned out to be something else). Rare. */
  readonly assetsRemoved: readonly AddressBytes[];
  /** Lowest slot seen per asset id, kept as a minimum, even while there is no asset yet. */
  readonly assetsSeen: readonly { readonly id: AddressBytes; readonly slot: Slot }[];
  /** Inserted or replaced by edition address. */
  readonly editions: readonly Edition[];
  readonly editionsRemoved: readonly AddressBytes[];
  readonly ledger: readonly LedgerState[];
}

export const emptyChangeSet: ChangeSet = {
  watermark: null,
  accounts: [],
  linksAdded: [],
  linksRemoved: [],
  assets: [],
  assetsRemoved: [],
  assetsSeen: [],
  editions: [],
  editionsRemoved: [],
  ledger: [],
};

export interface CommitReceipt {
  /** Grows by one per changed asset, over the life of the store. */
  readonly changeSeq: number;
  /** Ordinals of `ChangeSet.assets`, same order. */
  readonly ordinals: readonly Ordinal[];
}

/** The bulk reads the indexer needs; each is a few statements, for any number of keys. Same order as asked. */
export interface IndexReader {
  readAccountStates(addresses: readonly AddressBytes[]): MaybePromise<readonly (AccountState | null)[]>;
  /** Links by target; at most `limit` sources per (target, role), ascending by source bytes. */
  readLinks(
    targets: readonly AddressBytes[],
    roles: readonly LinkRole[],
    limit: number,
  ): MaybePromise<readonly Link[]>;
  /** One page of a link list, ascending by source bytes, after `after`. */
  readLinkPage(
    target: AddressBytes,
    role: LinkRole,
    after: AddressBytes | null,
    limit: number,
  ): MaybePromise<readonly Link[]>;
  readLedger(
    kind: LedgerState["kind"],
    keys: readonly AddressBytes[],
  ): MaybePromise<readonly (LedgerState | null)[]>;
  /** Lowest slot seen, null when never. */
  readSeenSlots(ids: readonly AddressBytes[]): MaybePromise<readonly (Slot | null)[]>;
  /** Every asset from an ordinal on, with facts, for filling the search index and for `verify`. */
  readAssetPage(
    from: Ordinal,
    limit: number,
  ): MaybePromise<readonly (Asset & { readonly ordinal: Ordinal })[]>;
  /** Assets whose change counter is above `changeSeq`, in its order. */
  readAssetsChangedSince(
    changeSeq: number,
    limit: number,
  ): MaybePromise<readonly (Asset & { readonly ordinal: Ordinal; readonly changeSeq: number })[]>;
  /** Every account, in storage order, for `verify`; `after` is an address or null. */
  readAccountPage(after: AddressBytes | null, limit: number): MaybePromise<readonly AccountState[]>;
}

/** Entry of a store's key-value table, which copies and backups carry: the genesis hash of its chain, base58 text. */
export const genesisKey = "genesis_hash";

/** The writer's side of a store. One writer per store; readers never write. */
export interface IndexStore extends IndexReader {
  /** Documents behind the assets' URIs; absent in a store that keeps none. */
  readonly offchain?: OffchainStore;
  /**
   * Applies everything or nothing. Version guard: an account older than what the store holds is skipped (equal
   * versions replace), so replays are harmless.
   */
  commit(changes: ChangeSet): MaybePromise<CommitReceipt>;
  readWatermark(): MaybePromise<Watermark | null>;
  readCoverage(): MaybePromise<Coverage>;
  writeCoverage(coverage: Coverage): MaybePromise<void>;
  /** Genesis hash of the chain that the accounts are of; null = not known yet (loaded from a snapshot or a dump). */
  readGenesisHash(): MaybePromise<string | null>;
  writeGenesisHash(genesisHash: string): MaybePromise<void>;
  /** Named problems found by the engine's own checks and the collision table; empty = sound. */
  checkIntegrity(): MaybePromise<readonly string[]>;
  close(): MaybePromise<void>;
}

/** How a store stands that writes a log next to its file, and moves it into that between commits. */
export interface LogState {
  readonly bytes: number;
  /** Whether who moves it is alive: else each commit that grew it far does so itself, and waits for it. */
  readonly isMoved: boolean;
}

/** A store that has such a log. */
export interface LoggedStore {
  readonly logState: LogState;
}
