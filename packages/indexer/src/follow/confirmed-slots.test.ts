// Tests of the follower with a source that reports confirmed slots only, as an RPC node does.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Account,
  type ChainEvent,
  type Commitment,
  type IndexStore,
  type Slot,
  reads,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { ChainFollower } from "./chain-follower.ts";

const FINALIZED_SLOT = 10;
const address = new Uint8Array(32).fill(7);

let folder: string;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay;
let follower: ChainFollower;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-confirmed-"));
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  reader = openSqliteReader({ file });
  await createIndexer(store).applyAccounts([], { slot: FINALIZED_SLOT, blockhash: "ten" });
  overlay = await ForkOverlay.open({ store, viewSource: reader });
  follower = new ChainFollower({ overlay });
});
afterEach(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const account = (slot: Slot, lamports: bigint): Account => ({
  address,
  programOwner: new Uint8Array(32),
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion: 0,
});

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

const lamportsAt = async (commitment: Commitment): Promise<bigint | undefined> => {
  const view = await overlay.openView(commitment);
  try {
    return (await view.read(reads.account(address)))?.lamports;
  } finally {
    view.close();
  }
};

test("a slot is confirmed as soon as it can be read, with versions that are older than the slot", async () => {
  await follower.take(confirmed(14, FINALIZED_SLOT, account(12, 5n)));
  expect(overlay.state).toMatchObject({
    processedSlot: 14,
    confirmedSlot: 14,
    finalizedSlot: FINALIZED_SLOT,
  });
  expect([
    await lamportsAt("processed"),
    await lamportsAt("confirmed"),
    await lamportsAt("finalized"),
  ]).toEqual([5n, 5n, undefined]);
});

test("a slot that is taken twice changes nothing", async () => {
  const event = confirmed(14, FINALIZED_SLOT, account(14, 5n));
  await follower.take(event);
  await follower.take(event);
  expect(overlay.state).toMatchObject({ confirmedSlot: 14, forks: 1, droppedSlots: 0 });
});

test("a finalized slot is stored with all below it, and with the hash that comes only then", async () => {
  await follower.take(confirmed(11, FINALIZED_SLOT, account(11, 1n)));
  await follower.take(confirmed(14, 11, account(14, 2n)));
  await follower.take(finalized(14, "fourteen"));
  expect(await store.readWatermark()).toEqual({ slot: 14, blockhash: "fourteen" });
  expect(await lamportsAt("finalized")).toBe(2n);
  expect(follower.state).toMatchObject({ stagedSlots: 0, gap: null });
});

test("a rollback forgets everything above the finalized slot, which may come again with other content", async () => {
  await follower.take(confirmed(11, FINALIZED_SLOT, account(11, 1n)));
  await follower.take(finalized(11, null));
  await follower.take(confirmed(12, 11, account(12, 2n)));
  await follower.take({ kind: "rollback" });
  expect(overlay.state).toMatchObject({ processedSlot: 11, confirmedSlot: 11, finalizedSlot: 11 });
  expect(await lamportsAt("confirmed")).toBe(1n);
  await follower.take(confirmed(12, 11, account(12, 3n)));
  expect(await lamportsAt("confirmed")).toBe(3n);
  await follower.take(finalized(12, null));
  expect(await lamportsAt("finalized")).toBe(3n);
});

test("a slot whose parent is unknown is a gap: nothing above it is answered or stored", async () => {
  await follower.take(confirmed(14, 13, account(14, 2n)));
  await follower.take(finalized(14, null));
  expect(overlay.state).toMatchObject({ processedSlot: FINALIZED_SLOT, finalizedSlot: FINALIZED_SLOT });
  expect(follower.state.gap).toEqual({ finalizedSlot: FINALIZED_SLOT, missing: 13 });
  await follower.take({ kind: "rollback" });
  expect(follower.state.gap).toBeNull();
});
