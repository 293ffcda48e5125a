import { ByteCursor } from "../bytes/byte-cursor.ts";

export interface StakeMeta {
  /** Lamports. */
  readonly rentExemptReserve: bigint;
  readonly staker: Uint8Array;
  readonly withdrawer: Uint8Array;
  readonly lockup: {
    readonly unixTimestamp: bigint;
    readonly epoch: bigint;
    readonly custodian: Uint8Array;
  };
}

export interface StakeDelegation {
  readonly voter: Uint8Array;
  /** Lamports. */
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  /** 2^64 - 1 while it is not being deactivated. */
  readonly deactivationEpoch: bigint;
  readonly creditsObserved: bigint;
}

/** Keys are views into the account's data. */
export type StakeAccount =
  | { readonly kind: "uninitialized" }
  | { readonly kind: "initialized"; readonly meta: StakeMeta }
  | { readonly kind: "delegated"; readonly meta: StakeMeta; readonly delegation: StakeDelegation }
  | { readonly kind: "rewardsPool" };

/** A stake account; null for anything else. Any length that covers the variant will do. */
export const decodeStake = (data: Uint8Array): StakeAccount | null => {
  const cursor = new ByteCursor(data);
  const account = readVariant(cursor);
  return cursor.failed ? null : account;
};

const readVariant = (cursor: ByteCursor): StakeAccount | null => {
  switch (cursor.u32()) {
    case 0:
      return { kind: "uninitialized" };
    case 1:
      return { kind: "initialized", meta: readMeta(cursor) };
    case 2:
      return { kind: "delegated", meta: readMeta(cursor), delegation: readDelegation(cursor) };
    case 3:
      return { kind: "rewardsPool" };
    default:
      return null;
  }
};

const readMeta = (cursor: ByteCursor): StakeMeta => ({
  rentExemptReserve: cursor.u64(),
  staker: cursor.key(),
  withdrawer: cursor.key(),
  lockup: { unixTimestamp: cursor.i64(), epoch: cursor.u64(), custodian: cursor.key() },
});

const readDelegation = (cursor: ByteCursor): StakeDelegation => {
  const voter = cursor.key();
  const [stake, activationEpoch, deactivationEpoch] = [cursor.u64(), cursor.u64(), cursor.u64()];
  cursor.bytes(8); // the warm-up rate of older releases
  const creditsObserved = cursor.u64();
  cursor.u8(); // flags: not shown, but they must be there
  return { voter, stake, activationEpoch, deactivationEpoch, creditsObserved };
};
