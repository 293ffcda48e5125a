import { decodeClock, sysvarAddresses } from "@lamplight/codecs";
import { isTimed, type MintView } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { MaybePromise } from "../domain/address.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";

interface Clock {
  readonly epoch: bigint;
  readonly unixTimestamp: bigint;
}

/** The chain's clock at the slot of the view; zeros while the Clock sysvar is missing, as Agave has it. */
export const readClock = (view: ReadView): MaybePromise<Clock> =>
  whenReady(view.accounts.findAccount(sysvarAddresses.clock), clockOf);

/** What `shapeTokenAmount` needs for that mint: the clock is read only where amounts change with it. */
export const readTimestampFor = (view: ReadView, mint: MintView | null): MaybePromise<bigint> =>
  mint !== null && isTimed(mint) ? whenReady(readClock(view), ({ unixTimestamp }) => unixTimestamp) : 0n;

const clockOf = (account: Account | null): Clock => {
  const clock = account === null ? null : decodeClock(account.data);
  return clock === null
    ? { epoch: 0n, unixTimestamp: 0n }
    : { epoch: BigInt(clock.epoch), unixTimestamp: BigInt(clock.unixTimestamp) };
};
