// A store at slot 10 with the hash `root`, the overlay of forks above it, and the follower that a test reports events to.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Account,
  type ChainEvent,
  type Commitment,
  type IndexStore,
  reads,
  type Slot,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach } from "vitest";
import { ChainFollower, type ChainFollowerOptions } from "../src/follow/chain-follower.ts";
import type { ChainGap } from "../src/follow/noted-gap.ts";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import type { ForkOverlayOptions } from "../src/overlay/overlay-options.ts";

export const ROOT_SLOT = 10;

export let store: IndexStore;
let reader: SqliteReader;
export let overlay: ForkOverlay;
export let follower: ChainFollower;
/** Gaps that the follower has reported. */
export let gaps: ChainGap[];

/** Opens them before each test. `accounts` are those of the store. */
export const useFork = (accounts: () => readonly Account[] = () => []): void => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "lamplight-fork-"));
    const file = join(folder, "index.db");
    store = openSqliteStore({ file, mode: "write" });
    reader = openSqliteReader({ file });
    await createIndexer(store).applyAccounts(accounts(), { slot: ROOT_SLOT, blockhash: "root" });
    await openFork();
  });
  afterEach(async () => {
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
};

/** Opens overlay and follower again, over the same store. */
export const openFork = async (options: Partial<ForkOverlayOptions> = {}): Promise<void> => {
  gaps = [];
  overlay = await ForkOverlay.open({ store, viewSource: reader, ...options });
  openFollower();
};

/** Opens another follower over the same overlay. */
export const openFollower = (bounds: Partial<ChainFollowerOptions> = {}): void => {
  follower = new ChainFollower({ overlay, onGap: (gap) => gaps.push(gap), ...bounds });
};

export const emit = async (...events: readonly ChainEvent[]): Promise<void> => {
  for (const event of events) await follower.take(event);
};

/** Lamports of the account whose address repeats that byte. */
export const lamportsAt = async (byte: number, commitment: Commitment): Promise<bigint | undefined> => {
  const view = await overlay.openView(commitment);
  try {
    return (await view.read(reads.account(new Uint8Array(32).fill(byte))))?.lamports;
  } finally {
    view.close();
  }
};

/** The same at the newest complete slot. */
export const lamportsOf = (byte: number): Promise<bigint | undefined> => lamportsAt(byte, "processed");

/** A block, and the end of its slot. */
export const block = (slot: Slot, blockhash: string, parent: Slot, parentBlockhash: string): ChainEvent[] => [
  { kind: "block", slot, parent, blockhash, parentBlockhash },
  { kind: "slot", slot, parent, status: "complete" },
];

export const status = (slot: Slot, word: "confirmed" | "finalized" | "dead"): ChainEvent => ({
  kind: "slot",
  slot,
  parent: null,
  status: word,
});

export const created = (slot: Slot, parent: Slot | null): ChainEvent => ({
  kind: "slot",
  slot,
  parent,
  status: "createdBank",
});

/** A version of the account whose address repeats that byte. */
export const write = (slot: Slot, byte: number, lamports = 1n, writeVersion = byte): Account => ({
  address: new Uint8Array(32).fill(byte),
  programOwner: new Uint8Array(32),
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion,
});

export const account = (...args: Parameters<typeof write>): ChainEvent => ({
  kind: "account",
  account: write(...args),
});
