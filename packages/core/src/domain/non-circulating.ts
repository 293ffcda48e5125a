import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { AddressBytes } from "./address.ts";
import { listedWithdrawerTexts, nonCirculatingAccountTexts } from "./non-circulating-lists.ts";

/** Accounts that never count as circulating, regardless of what they hold. Shared by all: read only. */
export const nonCirculatingAccounts: readonly AddressBytes[] = nonCirculatingAccountTexts.map(decodeAddress);

const accountTexts: ReadonlySet<string> = new Set(nonCirculatingAccountTexts);
/** First four bytes of an address: few are on the list, and the others need no text. */
const prefixOf = (address: AddressBytes): number =>
  ((address[0]! << 24) | (address[1]! << 16) | (address[2]! << 8) | address[3]!) >>> 0;
const accountPrefixes: ReadonlySet<number> = new Set(nonCirculatingAccounts.map(prefixOf));
const withdrawerTexts: ReadonlySet<string> = new Set(listedWithdrawerTexts);

/** Whether the address itself is on the list. */
export const isNonCirculatingAccount = (address: AddressBytes): boolean =>
  accountPrefixes.has(prefixOf(address)) && accountTexts.has(encodeAddress(address));

/** Whether stake accounts with this withdraw authority count as non-circulating, locked or not. */
export const isListedWithdrawer = (authority: AddressBytes): boolean =>
  withdrawerTexts.has(encodeAddress(authority));

/** Time as the Clock sysvar of the answering slot reports it. */
export interface LockupClock {
  readonly epoch: bigint;
  readonly unixTimestamp: bigint;
}

/** Whether a stake account counts as non-circulating at that clock: listed, or locked by time or epoch strictly later. */
export const isNonCirculatingAt = (
  hold: {
    readonly lockupTimestamp: bigint;
    readonly lockupEpoch: bigint;
    readonly listedWithdrawer: boolean;
  },
  clock: LockupClock,
): boolean =>
  hold.listedWithdrawer || hold.lockupTimestamp > clock.unixTimestamp || hold.lockupEpoch > clock.epoch;
