import { encodeAddress } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import type { ChainOptions } from "./chain-options.ts";
import type { Draft } from "./draft.ts";
import { masterEditionAccounts } from "./parts/editions.ts";
import { fungibleAccounts, nativeTokenAccounts } from "./parts/fungibles.ts";
import { allNftAccounts, changedNfts, collectionAccounts } from "./parts/nfts.ts";
import { otherAccounts } from "./parts/others.ts";
import { clockAccount, runtimeAccounts } from "./parts/runtime.ts";
import { stakeAccounts, voteAccounts } from "./parts/stakes.ts";
import { changedWallets, walletAccounts } from "./parts/wallets.ts";
import { World } from "./world.ts";

const FIRST_SLOT_DEFAULT = 300_000_000;
const ACCOUNTS_PER_SLOT_DEFAULT = 1000;

/** The writes of one slot. */
export interface ChainBatch {
  readonly slot: Slot;
  /** Base58 text. */
  readonly blockhash: string;
  readonly accounts: readonly Account[];
}

/**
 * A small realistic chain as account writes: first everything comes into being, then some of it changes (transfers,
 * sales, burns). Encoded by the layouts real programs use; supplies equal the sum of holdings.
 *
 * Streams: memory does not grow with the number of accounts. The same options give the same bytes.
 *
 * ```ts
 * for (const { slot, accounts } of generateChain({ seed: 1, counts: countsForAccounts(2_000_000) })) load(accounts);
 * ```
 */
export function* generateChain(options: ChainOptions): Generator<ChainBatch> {
  const world = new World(options);
  const firstSlot = options.firstSlot ?? FIRST_SLOT_DEFAULT;
  const accountsPerSlot = options.accountsPerSlot ?? ACCOUNTS_PER_SLOT_DEFAULT;
  let written = 0;
  let accounts: Account[] = [];
  const slotOfWrite = (index: number): Slot => firstSlot + Math.floor(index / accountsPerSlot);
  // Everything after the stakes is one clock, so the last slot is known when they are made.
  const lastSlotFrom = (writes: number): Slot => slotOfWrite(writes + world.counts.stakeAccounts);
  const finishSlot = (): ChainBatch => {
    const slot = slotOfWrite(written - 1);
    const batch = { slot, blockhash: encodeAddress(world.address("blockhash", slot - firstSlot)), accounts };
    accounts = [];
    return batch;
  };
  for (const draft of allDrafts(world, firstSlot, () => lastSlotFrom(written))) {
    accounts.push({ ...draft, slot: slotOfWrite(written), writeVersion: written });
    written += 1;
    if (written % accountsPerSlot === 0) yield finishSlot();
  }
  if (accounts.length > 0) yield finishSlot();
}

function* allDrafts(world: World, firstSlot: Slot, lastSlot: () => Slot): Generator<Draft> {
  yield* runtimeAccounts(world, firstSlot);
  yield* walletAccounts(world);
  yield* fungibleAccounts(world, firstSlot);
  yield* nativeTokenAccounts(world);
  yield* collectionAccounts(world);
  yield* allNftAccounts(world);
  yield* masterEditionAccounts(world);
  yield* otherAccounts(world, firstSlot);
  yield* voteAccounts(world, firstSlot);
  yield* changedWallets(world);
  yield* changedNfts(world);
  const slot = lastSlot();
  yield* stakeAccounts(world, slot);
  yield clockAccount(slot);
}
