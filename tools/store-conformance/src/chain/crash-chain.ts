import { type Account, type Asset, type ChangeSet, emptyChangeSet } from "@lamplight/core";
import { tokenAccountOf, writeOf } from "./accounts.ts";
import { addressOf } from "./addresses.ts";
import { assetOf } from "./assets.ts";

/** Accounts that every slot of the crash test rewrites. */
export const CRASH_ACCOUNTS = 500;

export const crashAccount = (which: number, slot: number): Account =>
  tokenAccountOf(
    `crash ${which}`,
    {
      mint: addressOf("mint"),
      tokenOwner: addressOf(`wallet ${slot}`),
      amount: BigInt(slot),
      delegate: addressOf(slot),
    },
    { slot, lamports: BigInt(slot) },
  );

export const crashAsset = (slot: number): Asset =>
  assetOf("crash", { updatedSlot: slot, document: JSON.stringify({ slot, pad: "x".repeat(5000) }) });

export const crashSlot = (slot: number): ChangeSet => ({
  ...emptyChangeSet,
  watermark: { slot, blockhash: null },
  accounts: Array.from({ length: CRASH_ACCOUNTS }, (_, which) => writeOf(crashAccount(which, slot))),
  assets: [crashAsset(slot)],
});
