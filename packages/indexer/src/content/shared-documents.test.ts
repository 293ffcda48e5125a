import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  type ChangeSet,
  joinStored,
  offchainRow,
  type OffchainRow,
  reads,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, test } from "vitest";
import { assetData, coreAccount, key } from "../../test/encode-core.ts";
import { createIndexer } from "../indexer.ts";

const ASSETS = 1000;
const DOCUMENT_BYTES = 2 << 20;
const uri = "https://a.test/shared.json";
const MAX_GROWTH = 10_000_000;

const addressOf = (index: number): AddressBytes => {
  const address = Uint8Array.from(key(7));
  new DataView(address.buffer).setUint32(0, index);
  return address;
};

const rowOf = (json: string): OffchainRow =>
  offchainRow(uri, { status: "ok", json, firstSeenMs: 1, fetchedMs: 2 });

test("a document of 2 MB behind 1,000 assets is stored once, and changes none of them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shared-documents-"));
  const file = join(folder, "index.db");
  const bytesAtRest = async (body: (store: ReturnType<typeof openSqliteStore>) => Promise<void>) => {
    const store = openSqliteStore({ file, mode: "write" });
    await body(store);
    await store.close();
    return statSync(file).size;
  };
  try {
    const before = await bytesAtRest(async (store) => {
      const accounts = Array.from({ length: ASSETS }, (_, index) =>
        coreAccount(addressOf(index), assetData(null, [], uri), { slot: 1 }),
      );
      await createIndexer(store).applyAccounts(accounts, { slot: 1, blockhash: null });
    });
    const description = "d".repeat(DOCUMENT_BYTES - 100);
    const commits: ChangeSet[] = [];
    const after = await bytesAtRest(async (store) => {
      await store.offchain!.writeRows([rowOf(JSON.stringify({ description }))]);
      const indexer = createIndexer(store, { onCommit: (changes) => commits.push(changes) });
      const update = coreAccount(addressOf(5), assetData(null, [], uri), { slot: 2, lamports: 7n });
      await indexer.applyAccounts([update], { slot: 2, blockhash: null });
    });
    expect(after - before).toBeLessThan(MAX_GROWTH);
    // The update of one asset writes that asset alone, without the document.
    expect(commits).toHaveLength(1);
    expect(commits[0]!.assets.map(({ id }) => encodeAddress(id))).toEqual([encodeAddress(addressOf(5))]);
    expect(commits[0]!.assets[0]!.document.length).toBeLessThan(2000);

    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    for (const index of [0, 5, ASSETS - 1]) {
      const asset = await view.read(reads.ownAsset(addressOf(index)));
      const { document } = await joinStored(view, asset!);
      expect(document).toContain(`"metadata":{"description":"${description}","name":"Name"`);
    }
    view.close();
    reader.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
