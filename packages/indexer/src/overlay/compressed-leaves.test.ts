// Leaves of compressed assets above the finalized slot: folded from transactions on each fork by itself.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { type Commitment, type IndexStore, type Slot, type Transaction, reads } from "@lamplight/core";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { indexContent } from "../../test/index-content.ts";
import { createIndexer } from "../indexer.ts";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import { ForkOverlay } from "./fork-overlay.ts";

const ROOT = 10;
const alice = addressOf(1);
const bob = addressOf(2);

let folder: string;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay;
let tree: BubblegumTree;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-leaves-"));
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  reader = openSqliteReader({ file });
  await createIndexer(store).apply({
    accounts: [],
    transactions: [],
    watermark: { slot: ROOT, blockhash: null },
  });
  overlay = await ForkOverlay.open({ store, viewSource: reader });
  tree = new BubblegumTree(1);
});
afterEach(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const at = (slot: Slot, transactions: readonly Transaction[]): Transaction[] =>
  transactions.map((transaction, index) => ({ ...transaction, slot, index }));

const add = (slot: Slot, parent: Slot, transactions: readonly Transaction[]): Promise<void> =>
  overlay.add({
    slot,
    parent,
    blockhash: null,
    accounts: [],
    transactions: at(slot, transactions),
  });

/** Slot, owner of leaf 0, what alice and bob own, and trees with missing changes. */
const seen = async (commitment: Commitment): Promise<unknown> => {
  const view = await overlay.openView(commitment);
  try {
    const asset = await view.read(reads.ownAsset(tree.idOf(0)));
    const document =
      asset && (JSON.parse(asset.document) as { burnt: boolean; ownership: { owner: string } });
    const owned = await Promise.all(
      [alice, bob].map((owner) =>
        view.read(
          reads.search({
            criteria: [{ kind: "owner", owner, ownerModel: null, includeZero: false }],
            match: "all",
            negate: false,
            sort: "id",
            direction: "asc",
            start: { kind: "page", page: 1 },
            limit: 10,
          }),
        ),
      ),
    );
    return {
      slot: view.slot,
      owner: document?.ownership.owner ?? null,
      burnt: document?.burnt ?? null,
      owned: owned.map(({ total }) => total),
      incomplete: view.incompleteTrees.map(({ tree: name }) => name),
    };
  } finally {
    view.close();
  }
};

describe("compressed leaves above the finalized slot", () => {
  test("are each fork's own, and root into what loading them gives", async () => {
    const minted = [tree.create(), tree.mintV1(alice), tree.mintV1(alice)];
    await add(11, ROOT, minted);
    const transferred = tree.transfer(0, bob);
    await add(12, 11, [transferred]);
    overlay.confirm(12);
    await add(13, 12, [tree.burn(1)]);
    const whole = { burnt: false, incomplete: [] };
    expect(await seen("processed")).toMatchObject({ ...whole, slot: 13, owner: encodeAddress(bob) });
    expect(await seen("confirmed")).toEqual({ ...whole, slot: 12, owner: encodeAddress(bob), owned: [1, 1] });
    expect(await seen("finalized")).toEqual({
      slot: ROOT,
      owner: null,
      burnt: null,
      owned: [0, 0],
      incomplete: [],
    });
    // The fork with the burn dies; what roots is what a plain load of the other one holds.
    await add(14, 12, []);
    await overlay.finalize(14);
    const clean = openSqliteStore({ file: join(folder, "clean.db"), mode: "write" });
    const indexer = createIndexer(clean);
    await indexer.applyTransactions(at(11, minted), { slot: 11, blockhash: null });
    await indexer.applyTransactions(at(12, [transferred]), { slot: 14, blockhash: null });
    expect(await indexContent(store)).toBe(await indexContent(clean));
    expect(await store.readWatermark()).toEqual(await clean.readWatermark());
    await clean.close();
  });

  test("a missing change of a tree is reported on the fork that misses it", async () => {
    await add(11, ROOT, [tree.create(), tree.mintV1(alice)]);
    const missed = tree.transfer(0, bob);
    const later = tree.mintV1(alice);
    await add(12, 11, [later]);
    expect(await seen("processed")).toMatchObject({ slot: 12, incomplete: [encodeAddress(tree.address)] });
    await add(13, 12, [missed]);
    expect(await seen("processed")).toMatchObject({ slot: 13, owner: encodeAddress(bob), incomplete: [] });
  });
});
