import { ByteCursor } from "../bytes/byte-cursor.ts";

export interface LandedVote {
  /** Slots between the voted slot and the one the vote landed in; 0 where the layout does not keep it. */
  readonly latency: number;
  readonly slot: bigint;
  readonly confirmationCount: number;
}

export interface EpochCredits {
  readonly epoch: bigint;
  readonly credits: bigint;
  readonly previousCredits: bigint;
}

/** A vote account of any stored version, as the newest one has it. Keys are views into the account's data. */
export interface VoteAccount {
  readonly node: Uint8Array;
  readonly authorizedWithdrawer: Uint8Array;
  /** Basis points, 0 to 65535. */
  readonly inflationRewardsCommissionBps: number;
  /** Null in older versions: the vote account itself collects. */
  readonly inflationRewardsCollector: Uint8Array | null;
  readonly blockRevenueCommissionBps: number;
  readonly blockRevenueCollector: Uint8Array;
  /** Lamports. */
  readonly pendingDelegatorRewards: bigint;
  /** 48 bytes. */
  readonly blsPubkeyCompressed: Uint8Array | null;
  readonly votes: readonly LandedVote[];
  readonly rootSlot: bigint | null;
  /** Ascending by epoch, one entry per epoch. */
  readonly authorizedVoters: readonly { readonly epoch: bigint; readonly authorizedVoter: Uint8Array }[];
  readonly epochCredits: readonly EpochCredits[];
  readonly lastTimestamp: { readonly slot: bigint; readonly timestamp: bigint };
}

/** Stored versions: without vote latency, with it, and with commissions in basis points. */
const versions = { oldest: 1, third: 2, fourth: 3 } as const;
type Version = (typeof versions)[keyof typeof versions];

/** 32 former voters of 48 bytes, an index and a flag: kept by older versions, shown by none. */
const PRIOR_VOTERS_BYTES = 32 * 48 + 8 + 1;
/** Older versions give the whole block revenue to the node. */
const ALL_BPS = 10_000;

/** A vote account; null for anything else, a zeroed one included. */
export const decodeVote = (data: Uint8Array): VoteAccount | null => {
  const cursor = new ByteCursor(data);
  const version = cursor.u32();
  if (version !== versions.oldest && version !== versions.third && version !== versions.fourth) return null;
  const account = readAccount(cursor, version);
  return cursor.failed ? null : account;
};

const readAccount = (cursor: ByteCursor, version: Version): VoteAccount => {
  const node = cursor.key();
  const authorizedWithdrawer = cursor.key();
  const rewards = version === versions.fourth ? readRewards(cursor) : readCommission(cursor, node);
  const votes = readVotes(cursor, version);
  const rootSlot = cursor.option((option) => option.u64());
  const authorizedVoters = readAuthorizedVoters(cursor);
  if (version !== versions.fourth) cursor.bytes(PRIOR_VOTERS_BYTES);
  const epochCredits = readEpochCredits(cursor);
  const lastTimestamp = { slot: cursor.u64(), timestamp: cursor.i64() };
  return {
    node,
    authorizedWithdrawer,
    ...rewards,
    votes,
    rootSlot,
    authorizedVoters,
    epochCredits,
    lastTimestamp,
  };
};

type Rewards = Pick<
  VoteAccount,
  | "inflationRewardsCommissionBps"
  | "inflationRewardsCollector"
  | "blockRevenueCommissionBps"
  | "blockRevenueCollector"
  | "pendingDelegatorRewards"
  | "blsPubkeyCompressed"
>;

const readRewards = (cursor: ByteCursor): Rewards => ({
  inflationRewardsCollector: cursor.key(),
  blockRevenueCollector: cursor.key(),
  inflationRewardsCommissionBps: cursor.u16(),
  blockRevenueCommissionBps: cursor.u16(),
  pendingDelegatorRewards: cursor.u64(),
  blsPubkeyCompressed: cursor.option((option) => option.bytes(48)),
});

const readCommission = (cursor: ByteCursor, node: Uint8Array): Rewards => ({
  inflationRewardsCollector: null,
  blockRevenueCollector: node,
  inflationRewardsCommissionBps: cursor.u8() * 100,
  blockRevenueCommissionBps: ALL_BPS,
  pendingDelegatorRewards: 0n,
  blsPubkeyCompressed: null,
});

const readVotes = (cursor: ByteCursor, version: Version): LandedVote[] => {
  const hasLatency = version !== versions.oldest;
  return cursor.list(hasLatency ? 13 : 12, () => ({
    latency: hasLatency ? cursor.u8() : 0,
    slot: cursor.u64(),
    confirmationCount: cursor.u32(),
  }));
};

/** The chain keeps them in a map: a repeated epoch keeps the last voter. */
const readAuthorizedVoters = (cursor: ByteCursor): VoteAccount["authorizedVoters"] => {
  const stored = cursor.list(40, () => [cursor.u64(), cursor.key()] as const);
  return [...new Map(stored)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([epoch, authorizedVoter]) => ({ epoch, authorizedVoter }));
};

const readEpochCredits = (cursor: ByteCursor): EpochCredits[] =>
  cursor.list(24, () => ({ epoch: cursor.u64(), credits: cursor.u64(), previousCredits: cursor.u64() }));
