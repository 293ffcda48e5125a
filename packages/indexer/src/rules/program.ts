import type { Account, AddressBytes, LinkRole } from "@lamplight/core";

import type {
  AccountClaim,
  AccountRule,
  AssetKind,
  ClosingRule,
  LedgerRule,
  RecordAddition,
} from "./rules.ts";

/** The wallets and assets that an account names, for stores that hold a part of the chain. */
export interface NamedInAccount {
  /** The wallet that owns what the account describes. */
  readonly owner?: AddressBytes;
  readonly mint?: AddressBytes;
  readonly collection?: AddressBytes;
  /** The master edition of a print. */
  readonly master?: AddressBytes;
}

/** The assets and accounts that are needed once an account is. */
export interface NeededWithAccount {
  /** Ids of assets of which every account is needed. */
  readonly assets?: readonly AddressBytes[];
  readonly addresses?: readonly AddressBytes[];
  /** Master editions of which every print is needed, where an asset of the claim is. */
  readonly masters?: readonly AddressBytes[];
}

/** A store that holds a part of the chain picks accounts of a program by this rule. It is pure and never throws. */
export interface SelectionRule {
  named(account: Account): NamedInAccount;
  /** The result comes in addition to the `parts` and `others` of the claim. */
  needs(account: Account, claim: AccountClaim | null): NeededWithAccount;
}

/**
 * Everything that Lamplight knows about one program of the chain. All members are required, so that what a program does
 * not have is said: null or an empty list.
 */
export interface ChainProgram {
  readonly name: string;
  readonly accounts: AccountRule | null;
  readonly ledger: LedgerRule | null;
  readonly closing: ClosingRule | null;
  readonly kind: AssetKind | null;
  readonly addition: RecordAddition | null;
  readonly selection: SelectionRule | null;
  /** Roles of links that views read: of any asset, or where a claim asks for them. */
  readonly roles: { readonly always: readonly LinkRole[]; readonly asked: readonly LinkRole[] };
  /** Programs whose transactions say what no account does: a stream is asked for them. */
  readonly transactionsOf: readonly AddressBytes[];
}
