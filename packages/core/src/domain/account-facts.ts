import {
  decodeStake,
  decodeTokenAccount,
  delegateOf,
  isTokenProgram,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { AccountFacts, Holding, NonCirculatingStake } from "../ports/index-store.ts";
import type { Account } from "./account.ts";
import { isListedWithdrawer } from "./non-circulating.ts";

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
