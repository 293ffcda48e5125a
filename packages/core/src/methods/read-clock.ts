import { decodeClock, sysvarAddresses } from "@lamplight/codecs";
import type { ReadView } from "../ports/read-view.ts";

/** The chain's clock at the slot of the view; zeros while the Clock sysvar is missing, as Agave has it. */
export const readClock = async (view: ReadView): Promise<{ epoch: bigint; unixTimestamp: bigint }> => {
  const account = await view.accounts.findAccount(sysvarAddresses.clock);
  const clock = account === null ? null : decodeClock(account.data);
  return clock === null
    ? { epoch: 0n, unixTimestamp: 0n }
    : { epoch: BigInt(clock.epoch), unixTimestamp: BigInt(clock.unixTimestamp) };
};
