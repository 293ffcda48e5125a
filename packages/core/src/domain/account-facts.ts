import {
  decodeTokenAccount,
  delegateOf,
  isTokenProgram,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { AccountFacts, Holding, StakeHold } from "../ports/index-store.ts";
import type { Account } from "./account.ts";
import { isListedWithdrawer } from "./non-circulating.ts";

/** What secondary indexes hold of an account that none of them cares about; a closed one above all. */
export const noAccountFacts: AccountFacts = {
  delegate: null,
  delegateMint: null,
  holding: null,
  stakeHold: null,
};

/**
 * What secondary indexes hold of one account: a pure function of its owner, lamports and bytes, so that an index can
 * be checked against the accounts at any time. Keys are views into `account.data`. Never throws, whatever the bytes.
 *
 * The delegate follows Agave's scan, which is looser than its decoder: a frozen account, a state byte no decoder
 * knows, and a delegated amount of zero all count.
 */
export const deriveAccountFacts = (account: Account): AccountFacts => {
  if (account.lamports === 0n) return noAccountFacts;
  if (isTokenProgram(account.programOwner)) return tokenFacts(account);
  if (sameBytes(account.programOwner, programAddresses.stake)) {
    return { ...noAccountFacts, stakeHold: deriveStakeHold(account) };
  }
  return noAccountFacts;
};

const tokenFacts = (account: Account): AccountFacts => {
  const delegation = delegateOf(account.data);
  return {
    delegate: delegation?.delegate ?? null,
    delegateMint: delegation?.mint ?? null,
    holding: deriveHolding(account),
    stakeHold: null,
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

// The few fields of a stake account that decide about circulation, at their fixed offsets.
const stakeTags = { initialized: 1, delegated: 2 } as const;
/** Bytes each variant needs to decode; accounts are longer, and what follows is ignored. */
const stakeBytesOfTag: ReadonlyMap<number, number> = new Map([
  [stakeTags.initialized, 124],
  [stakeTags.delegated, 197],
]);
const withdrawerOffset = 44;
const lockupTimestampOffset = 76;
const lockupEpochOffset = 84;

/** Null for a stake account that can never be held: not initialized, or neither locked nor listed. */
const deriveStakeHold = (account: Account): StakeHold | null => {
  const { data } = account;
  if (data.length < 4) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const bytesNeeded = stakeBytesOfTag.get(view.getUint32(0, true));
  if (bytesNeeded === undefined || data.length < bytesNeeded) return null;
  const lockupTimestamp = view.getBigInt64(lockupTimestampOffset, true);
  const lockupEpoch = view.getBigUint64(lockupEpochOffset, true);
  const listedWithdrawer = isListedWithdrawer(data.subarray(withdrawerOffset, withdrawerOffset + 32));
  if (lockupTimestamp === 0n && lockupEpoch === 0n && !listedWithdrawer) return null;
  return {
    address: account.address,
    lamports: account.lamports,
    lockupTimestamp,
    lockupEpoch,
    listedWithdrawer,
  };
};
