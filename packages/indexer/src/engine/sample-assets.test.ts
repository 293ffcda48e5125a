import { encodeAddress } from "@lamplight/codecs";
import { type Asset, emptyChangeSet } from "@lamplight/core";
import { expect, test } from "vitest";
import { key, metadata, mint } from "../../test/encode-accounts.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { openSqliteReader } from "@lamplight/store-sqlite";

const numbers = [1, 2, 3, 4];
const MANY = 100;

test("samples name what differs from the accounts in the store, an asset that is missing too, and nothing else", async () => {
  const opened = openTestStore();
  const { store, file } = opened;
  const accounts = numbers.flatMap((number) => [
    mint(key(number), 5),
    metadata(6, { mint: key(number), name: `${number}` }),
  ]);
  await createIndexer(store).applyAccounts(accounts, { slot: 10, blockhash: null });
  const viewSource = openSqliteReader({ file });
  const overlay = await ForkOverlay.open({ store, viewSource });
  const sound = await overlay.sampleAssets(MANY);
  expect(sound?.compared).toBeGreaterThanOrEqual(numbers.length);
  expect(sound?.differences).toEqual([]);
  const [first] = (await store.readAssetPage(0, MANY)).filter(({ id }) => id[0] === key(1)[0]);
  const damaged: Asset = { ...first!, frozen: !first!.frozen };
  await store.commit({ ...emptyChangeSet, assets: [damaged], assetsRemoved: [key(2)] });
  const found = new Map(
    (await overlay.sampleAssets(MANY))?.differences.map(({ id, differing }) => [id, differing]),
  );
  expect(found).toEqual(
    new Map([
      [encodeAddress(key(1)), ["frozen"]],
      [encodeAddress(key(2)), ["asset"]],
    ]),
  );
  // One at a time, a sample comes to each of them.
  const names = new Set<string>();
  while (names.size < found.size)
    for (const { id } of (await overlay.sampleAssets(1))?.differences ?? []) names.add(id);
  expect(names).toEqual(new Set(found.keys()));
  viewSource.close();
  await opened.close();
});
