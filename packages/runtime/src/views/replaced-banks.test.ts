// Workers see the slots of a chain whose nodes replace banks without a word, as the thread that follows publishes them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, type Slot, reads } from "@lamplight/core";
import { createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { startSearchLife } from "@lamplight/search";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { assetData, coreAccount, key } from "../../../indexer/test/encode-core.ts";
import { openTestStore } from "../../../indexer/test/open-test-store.ts";
import { expectSameBanks } from "../../../indexer/test/replaced-banks.ts";
import { UnfinalizedRelay } from "./unfinalized-relay.ts";

const firstSeed = Number(process.env["LAMPLIGHT_BANKS_SEED"] ?? 1);
const seeds = Number(process.env["LAMPLIGHT_BANKS_SEEDS"] ?? 4);

test.each(Array.from({ length: seeds }, (_, index) => firstSeed + index))(
  "seed %i: a worker answers what the writer answers (repeat with LAMPLIGHT_BANKS_SEED)",
  async (seed) => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-banks-"));
    const file = join(folder, "index.db");
    const store = openSqliteStore({ file, mode: "write" });
    const reader = openSqliteReader({ file });
    const relay = new UnfinalizedRelay();
    let search: Awaited<ReturnType<typeof startSearchLife>> | null = null;
    onTestFinished(async () => {
      await search?.close();
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true });
    });
    await expectSameBanks({
      seed,
      store,
      openViews: async () => {
        search = await startSearchLife({ viewSource: reader, file: null });
        await search.filled;
        return search.viewSource;
      },
      shared: relay.writerOver(store, reader),
      unfinalized: relay,
      onCommit: (changes, receipt) => {
        relay.noteCommit(changes, receipt);
        void search?.catchUp();
      },
    });
  },
);

const asset = (number: number, slot: Slot, isFrozen: boolean): Account =>
  coreAccount(key(number), assetData(null, [{ type: 1, payload: [Number(isFrozen)] }]), { slot });

test("what a worker knows of finalized assets follows the bank that was finalized, not the one it saw", async () => {
  const { store, file, close } = openTestStore();
  const reader = openSqliteReader({ file });
  onTestFinished(async () => {
    reader.close();
    await close();
  });
  await store.writeCoverage({ kind: "whole" });
  const watermark = { slot: 10, blockhash: "root" };
  await createIndexer(store).applyAccounts([asset(1, 10, false)], watermark);
  const relay = new UnfinalizedRelay();
  const overlay = await ForkOverlay.open({
    store,
    viewSource: reader,
    shared: relay.writerOver(store, reader),
    onCommit: (changes, receipt) => relay.noteCommit(changes, receipt),
  });
  const worker = new SharedOverlay({ unfinalized: relay, viewSource: reader });
  const add = (slot: Slot, blockhash: string, account: Account): Promise<void> =>
    overlay.add({ slot, parent: slot - 1, blockhash, accounts: [account], transactions: [] });
  const frozen = async (): Promise<number> => {
    await worker.catchUp();
    const view = await worker.openView("processed");
    const page = await view.read(
      reads.search({
        criteria: [{ kind: "frozen", value: true }],
        match: "all",
        negate: false,
        sort: "id",
        direction: "asc",
        start: { kind: "page", page: 1 },
        limit: 10,
      }),
    );
    view.close();
    return page.total;
  };
  await add(11, "first", asset(4, 11, false));
  await overlay.finalize(11);
  await add(12, "A", asset(3, 12, true));
  await add(13, "on A", asset(2, 13, true));
  expect(await frozen()).toBe(2);
  // All of this happens before the worker looks again.
  overlay.drop(12);
  await add(12, "B", asset(2, 12, true));
  await overlay.finalize(12);
  await add(13, "on B", asset(2, 13, true));
  expect(await frozen()).toBe(1);
});
