import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import type { Account } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";
import { assetData, collectionData, coreAccount, key } from "../../test/encode-core.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";
import type { OverlayBounds } from "./overlay-bounds.ts";

const FINALIZED = 10;
const collection = key(8);
const MEMBERS = 300;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const memberAddress = (number: number): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`member ${number}`).digest());

/** A collection with members in the store, and an overlay over it. */
const openCollection = async (bounds: OverlayBounds) => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-overlay-bounds-"));
  folders.push(folder);
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  const assets = Array.from({ length: MEMBERS }, (_, number) =>
    coreAccount(memberAddress(number), assetData(collection), { slot: FINALIZED }),
  );
  const accounts = [coreAccount(collection, collectionData(MEMBERS), { slot: FINALIZED }), ...assets];
  await createIndexer(store).applyAccounts(accounts, { slot: FINALIZED, blockhash: "finalized" });
  const viewSource = openSqliteReader({ file });
  const overlay = await ForkOverlay.open({ store, viewSource, ...bounds });
  const add = (slot: number, written: readonly Account[]): Promise<void> =>
    overlay.add({ slot, parent: slot - 1, blockhash: null, accounts: written, transactions: [] });
  const updateMembers = (slot: number): Promise<void> =>
    add(
      slot,
      assets.map((asset) => ({ ...asset, slot, lamports: BigInt(slot) })),
    );
  const updateCollection = (slot: number): Promise<void> =>
    add(slot, [coreAccount(collection, collectionData(MEMBERS, [], key(slot)), { slot })]);
  const close = async (): Promise<void> => {
    viewSource.close();
    await store.close();
  };
  return { overlay, updateMembers, updateCollection, close };
};

test.each([
  ["assets", { assetsMax: 2 * MEMBERS - 1 }],
  ["bytes of assets", { assetBytesMax: 2_000_000 }],
])("assets that slots derive count against the bound of %s", async (_, bounds) => {
  const { overlay, updateMembers: update, close } = await openCollection(bounds);
  try {
    await update(11);
    const { unfinalizedAssets, unfinalizedAssetBytes } = overlay.state;
    expect(unfinalizedAssets).toBe(MEMBERS);
    expect(unfinalizedAssetBytes).toBeGreaterThan(MEMBERS * 2_000);
    await update(12);
    await expect(update(13)).rejects.toMatchObject({ code: "CHAIN__FINALITY_STALLED" });
    await expect(overlay.openView("processed")).rejects.toMatchObject({ code: "CHAIN__FINALITY_STALLED" });
    // It recovers with the next finalized slot.
    await overlay.finalize(12);
    expect(overlay.state).toMatchObject({ unfinalizedAssets: 0, unfinalizedAssetBytes: 0 });
    await update(13);
    const view = await overlay.openView("processed");
    expect(view.slot).toBe(13);
    view.close();
  } finally {
    await close();
  }
});

test("an update of a collection is one changed asset, however many members it has", async () => {
  const { overlay, updateCollection, close } = await openCollection({});
  try {
    for (const slot of [11, 12, 13]) await updateCollection(slot);
    expect(overlay.state.unfinalizedAssets).toBe(3);
  } finally {
    await close();
  }
});
