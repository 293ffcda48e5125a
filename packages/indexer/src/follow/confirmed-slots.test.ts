// Tests of the follower with a source that reports confirmed slots only, as an RPC node does.

import type { Account, ChainEvent, Slot } from "@lamplight/core";
import { expect, test } from "vitest";
import { follower, lamportsAt, overlay, ROOT_SLOT, store, useFork, write } from "../../test/followed-fork.ts";

const ACCOUNT = 7;

useFork();

const account = (slot: Slot, lamports: bigint): Account => write(slot, ACCOUNT, lamports, 0);

const confirmed = (slot: Slot, parent: Slot, ...accounts: readonly Account[]): ChainEvent => ({
  kind: "confirmed",
  slot,
  parent,
  accounts,
  transactions: [],
});

const finalized = (slot: Slot, blockhash: string | null): ChainEvent => ({
  kind: "slot",
  slot,
  parent: null,
  status: "finalized",
  blockhash,
});

test("a slot is confirmed as soon as it can be read, with versions that are older than the slot", async () => {
  await follower.take(confirmed(14, ROOT_SLOT, account(12, 5n)));
  expect(overlay.state).toMatchObject({
    processedSlot: 14,
    confirmedSlot: 14,
    finalizedSlot: ROOT_SLOT,
  });
  expect([
    await lamportsAt(7, "processed"),
    await lamportsAt(7, "confirmed"),
    await lamportsAt(7, "finalized"),
  ]).toEqual([5n, 5n, undefined]);
});

test("a slot that is taken twice changes nothing", async () => {
  const event = confirmed(14, ROOT_SLOT, account(14, 5n));
  await follower.take(event);
  await follower.take(event);
  expect(overlay.state).toMatchObject({ confirmedSlot: 14, forks: 1, droppedSlots: 0 });
});

test("a finalized slot is stored with all below it, and with the hash that comes only then", async () => {
  await follower.take(confirmed(11, ROOT_SLOT, account(11, 1n)));
  await follower.take(confirmed(14, 11, account(14, 2n)));
  await follower.take(finalized(14, "fourteen"));
  expect(await store.readWatermark()).toEqual({ slot: 14, blockhash: "fourteen" });
  expect(await lamportsAt(7, "finalized")).toBe(2n);
  expect(follower.state).toMatchObject({ stagedSlots: 0, gap: null });
});

test("a rollback forgets everything above the finalized slot, which may come again with other content", async () => {
  await follower.take(confirmed(11, ROOT_SLOT, account(11, 1n)));
  await follower.take(finalized(11, null));
  await follower.take(confirmed(12, 11, account(12, 2n)));
  await follower.take({ kind: "rollback" });
  expect(overlay.state).toMatchObject({ processedSlot: 11, confirmedSlot: 11, finalizedSlot: 11 });
  expect(await lamportsAt(7, "confirmed")).toBe(1n);
  await follower.take(confirmed(12, 11, account(12, 3n)));
  expect(await lamportsAt(7, "confirmed")).toBe(3n);
  await follower.take(finalized(12, null));
  expect(await lamportsAt(7, "finalized")).toBe(3n);
});

test("a slot whose parent is unknown is a gap: nothing above it is answered or stored", async () => {
  await follower.take(confirmed(14, 13, account(14, 2n)));
  await follower.take(finalized(14, null));
  expect(overlay.state).toMatchObject({ processedSlot: ROOT_SLOT, finalizedSlot: ROOT_SLOT });
  expect(follower.state.gap).toEqual({ finalizedSlot: ROOT_SLOT, missing: 13 });
  await follower.take({ kind: "rollback" });
  expect(follower.state.gap).toBeNull();
});
