import {
  decodeStake,
  decodeTokenAccount,
  delegateOf,
  isTokenProgram,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { Account } from "./account.ts";
import type { AddressBytes } from "./address.ts";
import { isListedWithdrawer } from "./non-circulating.ts";

/** A token account, for searches by `ownerAddress`. Empty accounts are kept too, for `showZeroBalance`. */
export interface Holding {
  /** Address of the token account. */
  readonly tokenAccount: AddressBytes;
  /** Wallet that owns the tokens. */
  readonly tokenOwner: AddressBytes;
  /** Mint of the tokens. */
  readonly mint: AddressBytes;
  /** Whether the amount is above zero. */
  readonly positive: boolean;
}

/** A stake account that may count as non-circulating, which depends on the clock of each answer. */
export interface NonCirculatingStake {
  /** Address of the stake account. */
  readonly address: AddressBytes;
  /** Its whole balance. */
  readonly lamports: bigint;
  /** Unix seconds until which the stake is locked, an i64; 0 = not locked. */
  readonly lockupTimestamp: bigint;
  /** Epoch until which the stake is locked, a u64; 0 = not locked. */
  readonly lockupEpoch: bigint;
  /** Whether its withdraw authority is on the list of non-circulating ones; the lockup does not matter then. */
  readonly listedWithdrawer: boolean;
}

/** The facts that the secondary indexes keep of one account. `deriveAccountFacts` derives them from the bytes alone. */
export interface AccountFacts {
  /** Approved delegate of a token account; null without one. */
  readonly delegate: AddressBytes | null;
  /** Mint of a token account with a delegate; null otherwise. */
  readonly delegateMint: AddressBytes | null;
  /** Null for an account that is no token account. */
  readonly holding: Holding | null;
  /** Null for an account that always circulates, or never by its address. */
  readonly nonCirculatingStake: NonCirculatingStake | null;
}

/** The facts of an account that no secondary index lists, such as a closed one. */
export const noAccountFacts: AccountFacts = {
  delegate: null,
  delegateMint: null,
  holding: null,
  nonCirculatingStake: null,
};

/**
 * The facts that secondary indexes hold of one account: a pure function of its owner, lamports and bytes. So an index
 * can be checked against the accounts at any time. Keys are views into `account.data`. Never throws, regardless of the
 * bytes.
 *
 * The delegate follows Agave's scan, which is looser than its decoder: a frozen account, a state byte no decoder
 * knows, and a delegated amount of zero all count.
 */
export const deriveAccountFacts = (account: Account): AccountFacts => {
  if (account.lamports === 0n) return noAccountFacts;
  if (isTokenProgram(account.programOwner)) return tokenFacts(account);
  if (sameBytes(account.programOwner, programAddresses.stake)) {
    return { ...noAccountFacts, nonCirculatingStake: deriveNonCirculatingStake(account) };
  }
  return noAccountFacts;
};

const tokenFacts = (account: Account): AccountFacts => {
  const delegation = delegateOf(account.data);
  return {
    delegate: delegation?.delegate ?? null,
    delegateMint: delegation?.mint ?? null,
    holding: deriveHolding(account),
    nonCirculatingStake: null,
  };
};

const deriveHolding = (account: Account): Holding | null => {
  const token = decodeTokenAccount(account.data);
  if (token === null) return null;
  return {
    tokenAccount: account.address,
    tokenOwner: token.tokenOwner,
    mint: token.mint,
    positive: token.amount > 0n,
  };
};

/** Null for a stake account that always circulates: not initialized, or neither locked nor listed. */
const deriveNonCirculatingStake = (account: Account): NonCirculatingStake | null => {
  const stake = decodeStake(account.data);
  if (stake === null || (stake.kind !== "initialized" && stake.kind !== "delegated")) return null;
  const { lockup, withdrawer } = stake.meta;
  const listedWithdrawer = isListedWithdrawer(withdrawer);
  if (lockup.unixTimestamp === 0n && lockup.epoch === 0n && !listedWithdrawer) return null;
  return {
    address: account.address,
    lamports: account.lamports,
    lockupTimestamp: lockup.unixTimestamp,
    lockupEpoch: lockup.epoch,
    listedWithdrawer,
  };
};
