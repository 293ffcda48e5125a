import type { StakeDelegation } from "@lamplight/codecs";
import { ByteWriter } from "./byte-writer.ts";

export interface StakeFields {
  readonly reserve: bigint;
  readonly staker: Uint8Array;
  readonly withdrawer: Uint8Array;
  readonly lockup: { readonly timestamp: bigint; readonly epoch: bigint; readonly custodian: Uint8Array };
  /** Null = initialized, not delegated. */
  readonly delegation: StakeDelegation | null;
}

/** A stake account, 200 bytes. */
export const encodeStake = (stake: StakeFields): Uint8Array => {
  const writer = new ByteWriter().u32(stake.delegation === null ? 1 : 2).u64(stake.reserve);
  writer.bytes(stake.staker).bytes(stake.withdrawer);
  writer.i64(stake.lockup.timestamp).u64(stake.lockup.epoch).bytes(stake.lockup.custodian);
  if (stake.delegation !== null) {
    const { voter, stake: amount, activationEpoch, deactivationEpoch, creditsObserved } = stake.delegation;
    // 0.25 is the warm-up rate every account was written with before the runtime stopped reading it.
    writer
      .bytes(voter)
      .u64(amount)
      .u64(activationEpoch)
      .u64(deactivationEpoch)
      .f64(0.25)
      .u64(creditsObserved);
  }
  return writer.finish(200);
};
