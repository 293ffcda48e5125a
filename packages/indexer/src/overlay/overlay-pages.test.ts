// Pages above the finalized slot, after the store has cached the items of the finalized one: on each fork, an item is
// what its asset is there.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Account,
  answerCall,
  type Commitment,
  commitments,
  createMethodSettings,
  offchainRow,
  type OffchainRow,
  CallRequest,
  reads,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, expect, test } from "vitest";
import { assetData, coreAccount, key } from "../../test/encode-core.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";

const FINALIZED = 10;
const LAST_SLOT = 40;
const ASSETS = 300;
const uriOf = (index: number): string => `https://a.test/${index % 50}.json`;

const assetAt = (index: number, slot: number, uri = uriOf(index)): Account => {
  const address = Uint8Array.from(key(50));
  new DataView(address.buffer).setUint32(0, index);
  return coreAccount(address, assetData(null, [], uri), { slot });
};

const rowOf = (index: number, description: string): OffchainRow =>
  offchainRow(uriOf(index), {
    status: "ok",
    json: JSON.stringify({ description }),
    firstSeenMs: 1,
    fetchedMs: 2,
  });

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

test("a page shows each asset as getAsset does, on every fork and at every commitment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "overlay-pages-"));
  closings.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  closings.push(() => store.close());
  await createIndexer(store).applyAccounts(
    Array.from({ length: ASSETS }, (_, index) => assetAt(index, FINALIZED)),
    { slot: FINALIZED, blockhash: null },
  );
  await store.writeCoverage({ kind: "whole" });
  await store.offchain!.writeRows(Array.from({ length: 40 }, (_, index) => rowOf(index, "first")));
  const reader = openSqliteReader({ file });
  closings.push(() => reader.close());
  const overlay = await ForkOverlay.open({ store, viewSource: reader });

  const expectAgreement = async (assetCommitment: Commitment): Promise<void> => {
    const settings = createMethodSettings({ apiVersion: "0", assetCommitment });
    const request = new CallRequest({ viewSource: overlay, settings });
    const call = async (method: string, params: object): Promise<string> =>
      String(await answerCall(method, params, request));
    const page = await call("searchAssets", { limit: 1000 });
    const { items } = JSON.parse(page) as { readonly items: readonly { readonly id: string }[] };
    expect(items.length).toBeGreaterThanOrEqual(ASSETS);
    const alone = await Promise.all(items.map(({ id }) => call("getAsset", { id })));
    expect(page.slice(page.indexOf('"items":'))).toBe(`"items":[${alone.join(",")}]}`);
    request.close();
  };

  for (let slot = FINALIZED + 1; slot <= LAST_SLOT; slot += 1) {
    const isDead = slot % 6 === 0;
    const parent = (slot - 1) % 6 === 0 ? slot - 2 : slot - 1;
    const uri = uriOf(slot + (isDead ? 1 : 0));
    const accounts = [assetAt((slot * 31) % ASSETS, slot, uri), assetAt(slot % 5, slot, uri)];
    // A dead slot gives its new asset a number that another asset then has.
    if (slot % 3 === 0) accounts.push(assetAt(ASSETS + slot, slot, uri));
    await overlay.add({ slot, parent, blockhash: null, accounts, transactions: [] });
    if (isDead) continue;
    if (slot % 4 === 0) await store.offchain!.writeRows([rowOf(slot, `at ${slot}`)]);
    overlay.confirm(slot - 2 > FINALIZED && (slot - 2) % 6 !== 0 ? slot - 2 : FINALIZED);
    if (slot - 5 > FINALIZED && (slot - 5) % 6 !== 0) await overlay.finalize(slot - 5);
    for (const commitment of commitments) await expectAgreement(commitment);
  }
  const view = await reader.openView("finalized");
  const { ordinals } = await view.read(
    reads.search({
      criteria: [],
      match: "all",
      negate: false,
      sort: "id",
      direction: "asc",
      start: { kind: "page", page: 1 },
      limit: 1000,
    }),
  );
  const items = await view.read(reads.itemCache(ordinals));
  expect(ordinals.filter((ordinal) => items?.find(ordinal) !== undefined).length).toBeGreaterThan(ASSETS / 2);
  view.close();
});
