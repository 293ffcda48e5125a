import { reads } from "@lamplight/core";
import { createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { account, key } from "../../../indexer/test/encode-accounts.ts";
import { openTestStore } from "../../../indexer/test/open-test-store.ts";
import { UnfinalizedRelay } from "./unfinalized-relay.ts";

const ROOT = 10;
const data = new Uint8Array(1024 ** 2).map((_, index) => (index * index) % 251);
const paidAt = (slot: number) => ({ ...account(key(1), key(2), data, slot), lamports: BigInt(slot) });

test("workers have large data that a slot does not change, and that no message carries", async () => {
  const { store, file, close } = openTestStore();
  const reader = openSqliteReader({ file });
  onTestFinished(async () => {
    reader.close();
    await close();
  });
  await store.writeCoverage({ kind: "whole" });
  await createIndexer(store).applyAccounts([paidAt(ROOT)], { slot: ROOT, blockhash: null });
  const relay = new UnfinalizedRelay();
  expect(await relay.readFinalizedData(key(1))).toBeNull();
  const shared = relay.writerOver(store, reader);
  const onCommit = relay.noteCommit.bind(relay);
  const overlay = await ForkOverlay.open({ store, viewSource: reader, shared, onCommit });
  const worker = new SharedOverlay({ unfinalized: relay, viewSource: reader });
  for (const slot of [ROOT + 1, ROOT + 2, ROOT + 3]) {
    await overlay.add({
      slot,
      parent: slot - 1,
      blockhash: null,
      accounts: [paidAt(slot)],
      transactions: [],
    });
    if (slot === ROOT + 2) await overlay.finalize(ROOT + 1);
    for (const one of [worker, new SharedOverlay({ unfinalized: relay, viewSource: reader })]) {
      await one.catchUp();
      const view = await one.openView("processed");
      expect(await view.read(reads.account(key(1)))).toEqual(paidAt(slot));
      view.close();
    }
  }
  for (const { body } of (await relay.readUnfinalized(new Map())).slots)
    expect(body!.length).toBeLessThan(2000);
});
