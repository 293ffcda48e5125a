// The one interface between the engine and the programs of the chain. A rule is pure: it reads bytes, never a store,
// and never reads history. The engine keeps the newest states, finds what belongs together and commits.

import type {
  Account,
  AddressBytes,
  Asset,
  Edition,
  LedgerKind,
  LedgerState,
  LinkRole,
  Slot,
  Transaction,
} from "@lamplight/core";

import type { AssetRecord } from "../record/asset-record.ts";

/**
 * The statements of one living account version about assets. A pure function of its address, program owner and bytes.
 */
export interface AccountClaim {
  /** Ids of the assets this account describes: derived again when it changes. */
  readonly assets: readonly AddressBytes[];
  /**
   * Whether the account is a record of these assets, so that its slot lowers their created slot. False for a token
   * account: when an asset was created does not depend on who holds it.
   */
  readonly isRecord: boolean;
  /** Links from others to this account; the engine adds and removes them as versions come and go. */
  readonly links: readonly { readonly role: LinkRole; readonly target: AddressBytes }[];
  /**
   * Link lists that point away from this account: the assets named by the *claims of the linking accounts* are derived
   * again when this account changes (a Core collection's members, the mint an edition account belongs to).
   */
  readonly dependants: readonly { readonly role: LinkRole; readonly target: AddressBytes }[];
  /** Link roles from the asset, in addition to `metadata` and `inscription`, that deriving it needs (the holders of an NFT). */
  readonly roles: readonly LinkRole[];
  /** Accounts in addition to this one that are records of the same asset (a mint's edition account). */
  readonly parts: readonly AddressBytes[];
  /** Accounts of other assets that deriving needs (an asset's collection). Their slots do not count as updates. */
  readonly others: readonly AddressBytes[];
  /** Whether the claim stands after the account is closed or emptied, so that a burnt asset stays readable. */
  readonly outlives: boolean;
  /**
   * Whether the account is what the program leaves of a burnt asset: it proves the end and nothing else. A life of the
   * same program that is kept describes the asset in its place.
   */
  readonly emptied: boolean;
}

const silent: AccountClaim = {
  assets: [],
  isRecord: true,
  links: [],
  dependants: [],
  roles: [],
  parts: [],
  others: [],
  outlives: false,
  emptied: false,
};

/** A claim from the members that are not empty. */
export const claim = (said: Partial<AccountClaim>): AccountClaim => ({ ...silent, ...said });

/** Problems met on the way: counted and reported, never fatal. */
export interface IndexProblem {
  /** Stable words for counting (`leaf-mismatch`, `account-undecodable`, …). */
  readonly kind: string;
  /** The account, asset or tree concerned. */
  readonly address: AddressBytes;
  readonly slot: Slot;
  readonly reason: string;
}
export type ReportProblem = (problem: IndexProblem) => void;

/** Reads claims about assets from the accounts of some programs. */
export interface AccountRule {
  readonly name: string;
  /** Program owners this rule reads; no two rules share one. */
  readonly programs: readonly AddressBytes[];
  /** Null = describes no asset (another kind of account). Must never throw. */
  claim(account: Account): AccountClaim | null;
  /** Whether a change matters to `dependants`; absent = any change does. Null = not known, or says nothing. */
  affectsDependants?(before: Account | null, after: Account | null): boolean;
}

/** One account of an asset as the engine knows it. */
export interface KnownAccount {
  /** The newest version: its slot counts as an update even when it is a tombstone or an emptied account. */
  readonly current: Account;
  /** The newest version with an outliving claim, or `current` when that has a claim. */
  readonly claiming: Account;
  /** `current` no longer describes what `claiming` does: closed, emptied or taken over. */
  readonly closed: boolean;
}

/** All that is known around one asset id, in one consistent state. */
export interface AssetView {
  readonly id: AddressBytes;
  /** The account at the asset's own address. */
  readonly self: KnownAccount | null;
  /** Folded compressed leaf under this id. */
  readonly leaf: LedgerState | null;
  /** Accounts linked from the id by role, ascending by address; roles that no one asked for are empty. */
  linked(role: LinkRole): readonly KnownAccount[];
  /** One of the `parts` or `others` of the accounts above; null when not known. */
  find(address: AddressBytes): KnownAccount | null;
}

export interface DerivedAsset {
  readonly record: AssetRecord | null;
  /** Editions the view proves. */
  readonly editions: readonly Edition[];
  /** Edition addresses of this view: rows under these that are not in `editions` are removed. */
  readonly editionAddresses: readonly AddressBytes[];
}

/** One kind of asset. The first kind in the rule book that derives a record wins. */
export interface AssetKind {
  readonly name: string;
  /** Null when the view holds no asset of this kind. A pure function of the view. Must never throw. */
  derive(view: AssetView): DerivedAsset | null;
}

/** One fact read from a transaction about a leaf or a tree. Rules extend it with what they need for folding. */
export interface LedgerEvent {
  readonly kind: LedgerKind;
  /** Asset id of a leaf, the tree's address, or `nodeBlockKey`. */
  readonly key: AddressBytes;
  readonly tree: AddressBytes;
  readonly slot: Slot;
}

/** Folds the transactions of a program into ledger states. */
export interface LedgerRule {
  readonly name: string;
  /** Program owners of the accounts that `readAccount` reads. */
  readonly programs: readonly AddressBytes[];
  /**
   * Events in order of execution; empty when the transaction is none of this rule's business. The engine never calls it
   * for failed transactions.
   */
  read(transaction: Transaction, report: ReportProblem): readonly LedgerEvent[];
  /**
   * Events that an account version reports of a tree (its own change counter); empty when there are none. Must never
   * throw.
   */
  readAccount(account: Account): readonly LedgerEvent[];
  /** Events of the blocks of nodes that this event changes. */
  nodesOf(event: LedgerEvent): readonly LedgerEvent[];
  /**
   * The state after these events, at least one, all of one key. Must give the same text for any order and any repetition
   * of events (per-group sequence numbers).
   */
  fold(known: LedgerState | null, events: readonly LedgerEvent[], report: ReportProblem): LedgerState;
  /** Core collections that a leaf of this state may inherit from: deriving reads them. */
  collectionsOf(state: LedgerState): readonly AddressBytes[];
}

/** Finds accounts that transactions close and that no account update may ever report. */
export interface ClosingRule {
  readonly name: string;
  /** Addresses that the instructions of this transaction close. */
  readClosed(transaction: Transaction): readonly AddressBytes[];
}

/**
 * An addition of one program to records of every kind: an inscription to the asset whose address is its root. Pure,
 * never throws.
 */
export interface RecordAddition {
  readonly name: string;
  add(view: AssetView, record: AssetRecord): AssetRecord;
}

/**
 * The rules that make an asset of the states around it. They may change with a version: assets are then derived again
 * from what is stored. Two versions agree on the editions that a view proves, since these have no second set.
 */
export interface DerivationRules {
  /** See `DERIVATION` in core. */
  readonly version: number;
  /** Kinds are in order of precedence. */
  readonly kinds: readonly AssetKind[];
  readonly additions: readonly RecordAddition[];
  /** Facts, document and extras of a record. */
  readonly shape: (record: AssetRecord, createdSlot: Slot) => Asset;
}

/** Everything the engine knows about programs. A change of the other members is a change of `ROWS_FORMAT`. */
export interface RuleBook extends DerivationRules {
  readonly accounts: readonly AccountRule[];
  readonly ledgers: readonly LedgerRule[];
  readonly closings: readonly ClosingRule[];
}
