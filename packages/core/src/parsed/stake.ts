import { decodeStake, encodeAddress, type StakeDelegation, type StakeMeta } from "@lamplight/codecs";
import type { JsonValue } from "../json/json-text.ts";
import type { ParsedJson } from "./parsed-json.ts";

/** Accounts of the stake program. */
export const parseStake = (data: Uint8Array): ParsedJson => {
  const account = decodeStake(data);
  if (account === null) return null;
  switch (account.kind) {
    case "uninitialized":
    case "rewardsPool":
      return { type: account.kind };
    case "initialized":
      return { info: { meta: shapeMeta(account.meta), stake: null }, type: account.kind };
    case "delegated":
      return {
        info: { meta: shapeMeta(account.meta), stake: shapeDelegation(account.delegation) },
        type: account.kind,
      };
    default:
      return account satisfies never;
  }
};

const shapeMeta = ({ rentExemptReserve, staker, withdrawer, lockup }: StakeMeta): JsonValue => ({
  authorized: { staker: encodeAddress(staker), withdrawer: encodeAddress(withdrawer) },
  lockup: {
    custodian: encodeAddress(lockup.custodian),
    epoch: lockup.epoch,
    unixTimestamp: lockup.unixTimestamp,
  },
  rentExemptReserve: rentExemptReserve.toString(),
});

/** Epochs and lamports are strings, credits are an integer: so it is on the wire. */
const shapeDelegation = (delegation: StakeDelegation): JsonValue => ({
  creditsObserved: delegation.creditsObserved,
  delegation: {
    activationEpoch: delegation.activationEpoch.toString(),
    deactivationEpoch: delegation.deactivationEpoch.toString(),
    stake: delegation.stake.toString(),
    voter: encodeAddress(delegation.voter),
  },
});
