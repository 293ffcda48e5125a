import type { Account } from "../domain/account.ts";
import type { AddressBytes, Slot } from "../domain/address.ts";
import type { Asset, Ordinal } from "../domain/asset.ts";
import type { Coverage, Watermark } from "../domain/coverage.ts";
import type { Edition } from "../domain/edition.ts";
import type { OffchainStore } from "./offchain-store.ts";
import type { AccountFacts } from "../domain/account-facts.ts";
import type { DerivationState, NextProgress, NextRow, SeenAsset } from "../domain/derivation.ts";
import type { UnfinalizedChange } from "./unfinalized-store.ts";

/** The newest known version of an account, and of a closed one the last version that described an asset. */
export interface AccountState {
  /** The newest version. A closed account has a tombstone here: 0 lamports, no data, the slot of the closing. */
  readonly current: Account;
  /**
   * The newest version that described an asset, so that a burnt asset stays readable. Kept where `current` describes
   * none any more: the account was closed, emptied or given to another program. Null when none is kept.
   */
  readonly lastLife: Account | null;
}

/** Relations of an account to an asset at another address; `Link` explains each. Stores keep their places here. */
export const linkRoles = ["metadata", "edition", "holder", "member", "inscription"] as const;
/** One of these relations. */
export type LinkRole = (typeof linkRoles)[number];

/**
 * From the address of an asset, edition or collection to an account that describes it:
 * - `metadata`: mint → its metadata account
 * - `edition`: edition account → metadata account of its mint
 * - `holder`: mint → token account that holds exactly 1
 * - `member`: Core collection → its asset
 * - `inscription`: root mint → inscription
 */
export interface Link {
  /** The role of the account for the asset. */
  readonly role: LinkRole;
  /** Address of the asset, edition or collection. */
  readonly target: AddressBytes;
  /** Address of the account that describes it. */
  readonly source: AddressBytes;
}

/** One account to be written. */
export interface AccountWrite {
  /** Replaces the known state if it is not older. */
  readonly state: AccountState;
  /** Derived from `state.current`. */
  readonly facts: AccountFacts;
}

/** Compression states are of these. Their numbers in stores are their places, so that new ones are only appended. */
export const ledgerKinds = ["leaf", "tree", "nodes"] as const;
/** One of these. */
export type LedgerKind = (typeof ledgerKinds)[number];

/**
 * Compression state: of one leaf, merged from transactions, of one tree, or of a block of its nodes. Stores do not read
 * those of leaves and blocks. That of a tree is a `TreeState`: views read which of its changes are missing.
 */
export interface LedgerState {
  /** Asset id, tree address, or `nodeBlockKey`. */
  readonly key: AddressBytes;
  /** The kind of thing that `key` is of. */
  readonly kind: LedgerKind;
  /** Tree of a leaf or block; the key itself for a tree. */
  readonly tree: AddressBytes;
  /** JSON text; for a block, as `NodeBlock` writes it. */
  readonly state: string;
}

/** One atomic step of the index. Within a list a key appears at most once. */
export interface ChangeSet {
  /** Moves the watermark when set; never backwards. */
  readonly watermark: Watermark | null;
  /** Accounts with new versions. */
  readonly accounts: readonly AccountWrite[];
  /** Links that may exist already. */
  readonly linksAdded: readonly Link[];
  /** Links that may be missing already. */
  readonly linksRemoved: readonly Link[];
  /** Inserted or replaced by id; ordinals are given by the store on first insert. */
  readonly assets: readonly Asset[];
  /** Assets that never were: a mint that turned out to be something else. Rare. */
  readonly assetsRemoved: readonly AddressBytes[];
  /** Lowest slot seen per asset id, kept as a minimum, even while there is no asset yet. */
  readonly assetsSeen: readonly { readonly id: AddressBytes; readonly slot: Slot }[];
  /** Inserted or replaced by edition address. */
  readonly editions: readonly Edition[];
  /** Edition addresses. */
  readonly editionsRemoved: readonly AddressBytes[];
  /** Inserted or replaced by key. */
  readonly ledger: readonly LedgerState[];
  /** Rows of the next set, each inserted, replaced or removed; absent where none is derived. */
  readonly next?: readonly NextRow[];
}

/** Changes nothing. */
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

/** The numbers that a commit gave. */
export interface CommitReceipt {
  /** Grows by one per changed asset, over the life of the store. */
  readonly changeSeq: number;
  /** Ordinals of `ChangeSet.assets`, same order. */
  readonly ordinals: readonly Ordinal[];
}

/** The reads of the indexer. Each call is a few statements for any number of keys, and answers in their order. */
export interface IndexReader {
  /** Null for an account that was never seen. */
  readAccountStates(addresses: readonly AddressBytes[]): Promise<readonly (AccountState | null)[]>;
  /** Links by target; at most `limit` sources per (target, role), ascending by source bytes. */
  readLinks(
    targets: readonly AddressBytes[],
    roles: readonly LinkRole[],
    limit: number,
  ): Promise<readonly Link[]>;
  /** One page of a link list, ascending by source bytes, after `after`. */
  readLinkPage(
    target: AddressBytes,
    role: LinkRole,
    after: AddressBytes | null,
    limit: number,
  ): Promise<readonly Link[]>;
  /** Compression states by key; null where there is none. */
  readLedger(kind: LedgerKind, keys: readonly AddressBytes[]): Promise<readonly (LedgerState | null)[]>;
  /** Lowest slot seen, null when never. */
  readSeenSlots(ids: readonly AddressBytes[]): Promise<readonly (Slot | null)[]>;
  /** Every asset from an ordinal on, with facts, for filling the search index and for `verify`. */
  readAssetPage(from: Ordinal, limit: number): Promise<readonly (Asset & { readonly ordinal: Ordinal })[]>;
  /** Assets whose change counter is above `changeSeq`, in its order. */
  readAssetsChangedSince(
    changeSeq: number,
    limit: number,
  ): Promise<readonly (Asset & { readonly ordinal: Ordinal; readonly changeSeq: number })[]>;
  /** Every account, in storage order, for `verify`; `after` is an address or null. */
  readAccountPage(after: AddressBytes | null, limit: number): Promise<readonly AccountState[]>;
}

/** Entry of a store's key-value table, which copies and backups carry: the genesis hash of its chain, base58 text. */
export const genesisKey = "genesis_hash";

/** The writer's access to the next set (`domain/derivation.ts`). Commits write it too: see `ChangeSet.next`. */
export interface NextSet {
  /** Removes what the set has, and begins one of these rules; null = none. */
  begin(version: number | null): Promise<void>;
  /** One page of all ids that were ever seen, ascending by bytes. */
  readSeenPage(after: AddressBytes | null, limit: number): Promise<readonly SeenAsset[]>;
  /** Writes rows, and how far they reach, in one transaction. */
  fill(rows: readonly NextRow[], progress: NextProgress): Promise<void>;
  /**
   * In one transaction: replaces the assets that differ, applies `last`, and makes the rules of the set those of the
   * store.
   *
   * @param last - changes that these rules derived; they are newer than the rows of the set
   * @param decode - reads a body; null = there is no asset by these rules
   * @param shown - the slots above `last` as these rules derived them; a store that publishes slots exchanges them too
   */
  finish(
    version: number,
    last: ChangeSet,
    decode: (body: Uint8Array) => Asset | null,
    shown?: UnfinalizedChange,
  ): Promise<CommitReceipt>;
}

/** An operator asked for a change of the coverage in another process. See `domain/coverage-request.ts`. */
export interface CoverageRequests {
  /** A `CoverageRequest` as JSON; null = nothing is asked for. */
  read(): Promise<string | null>;
  /**
   * Writes the coverage, and replaces the request in the same transaction, unless it was changed since it was read.
   *
   * @param rest - what has to wait; null = nothing
   * @returns whether it was written
   */
  take(request: string, coverage: Coverage, rest: string | null): Promise<boolean>;
}

/** The index of the token accounts of each mint. Commits keep it from `finish` on. */
export interface HolderIndex {
  /** Whether the store keeps it. */
  readonly isKept: boolean;
  /** Removes what a run before left that was stopped. */
  begin(): Promise<void>;
  /** Adds accounts that are not in it yet; those without a holding are left out. Answers how many were added. */
  add(accounts: readonly Account[]): Promise<number>;
  /** From now on, commits keep it and views read it. */
  finish(): Promise<void>;
}

/** The writer's side of a store. One writer per store; readers never write. */
export interface IndexStore extends IndexReader {
  /** Documents behind the assets' URIs; absent in a store that keeps none. */
  readonly offchain?: OffchainStore;
  /** Changes of the coverage while the store is followed; absent in a store that keeps its coverage. */
  readonly coverageRequests?: CoverageRequests;
  /** Assets as other rules derive them; absent in a store that cannot keep two sets. */
  readonly nextSet?: NextSet;
  /** Absent in a store that cannot keep it. */
  readonly holders?: HolderIndex;
  /**
   * One page of the states of trees, ascending by address, after `after`. Absent in a store that keeps no nodes of
   * trees.
   */
  readonly readTrees?: (after: AddressBytes | null, limit: number) => Promise<readonly LedgerState[]>;
  /**
   * Applies everything or nothing. Version guard: an account older than what the store holds is skipped (equal
   * versions replace), so replays are harmless.
   */
  commit(changes: ChangeSet): Promise<CommitReceipt>;
  /** The rules behind the store's assets. */
  readDerivation(): Promise<DerivationState>;
  /** The newest slot that is complete in the store; null before the first. */
  readWatermark(): Promise<Watermark | null>;
  /** The accounts and trees that the store holds. */
  readCoverage(): Promise<Coverage>;
  /** Replaces it as a whole. */
  writeCoverage(coverage: Coverage): Promise<void>;
  /**
   * Deletes what is kept of these closed accounts, in one transaction. Living accounts, and closed ones with a last life,
   * stay. Absent in a store whose coverage cannot be changed.
   */
  removeTombstones?(addresses: readonly AddressBytes[]): Promise<void>;
  /** Genesis hash of the chain that the accounts are of; null = not known yet (loaded from a snapshot or a dump). */
  readGenesisHash(): Promise<string | null>;
  /** Once it is known it stays. */
  writeGenesisHash(genesisHash: string): Promise<void>;
  /** Damage that the engine finds in its own file, and colliding keys: one sentence each. Empty = sound. */
  checkIntegrity(): Promise<readonly string[]>;
  /** Ends the writer and gives its lock back; a second call does nothing. */
  close(): Promise<void>;
}

/**
 * The documents of a store, opened for their one writer. It has a lock of its own, so another process may write the
 * store at the same time.
 */
export interface DocumentStore {
  /** The documents and the state of their URIs. */
  readonly offchain: OffchainStore;
  /** The feed of changed assets, as the store's writer commits them. */
  readonly readAssetsChangedSince: IndexReader["readAssetsChangedSince"];
  /** Ends the writer and gives its lock back; a second call does nothing. */
  close(): Promise<void>;
}

/** The write-ahead log next to a store file, which is moved into the file between commits. */
export interface LogState {
  /** Size of the log. */
  readonly bytes: number;
  /** Whether the thread that moves it is alive. Without it, commits move a long log themselves, and wait for it. */
  readonly isMoved: boolean;
  /** Whether the disk refused what the thread moved last. It tries again, and the log grows until then. */
  readonly isRefused: boolean;
}

/** A store that has such a log. */
export interface LoggedStore {
  /** The state of the log at this moment. */
  readonly logState: LogState;
}
