import { decodeClock, sysvarAddresses } from "@lamplight/codecs";
import { isTimed, type MintView } from "../amount/mint-view.ts";
import { read, type Steps } from "./steps.ts";

interface Clock {
  readonly epoch: bigint;
  readonly unixTimestamp: bigint;
}

/** The chain's clock at the slot of the answer; zeros while the Clock sysvar is missing, as Agave has it. */
export function* readClock(): Steps<Clock> {
  const account = yield* read.account(sysvarAddresses.clock);
  const clock = account === null ? null : decodeClock(account.data);
  if (clock === null) return { epoch: 0n, unixTimestamp: 0n };
  return { epoch: BigInt(clock.epoch), unixTimestamp: BigInt(clock.unixTimestamp) };
}

/** The timestamp that `shapeTokenAmount` needs for that mint: the clock is read only where amounts change with it. */
export function* readTimestampFor(mint: MintView | null): Steps<bigint> {
  return mint !== null && isTimed(mint) ? (yield* readClock()).unixTimestamp : 0n;
}
