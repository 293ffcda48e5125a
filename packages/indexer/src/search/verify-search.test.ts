import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexStore } from "@lamplight/core";
import { demoOptions, generateChain } from "@lamplight/devchain";
import { runThrough, type SearchIndex } from "@lamplight/search";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { loadIndexFile, saveIndexFile } from "@lamplight/search";
import { startSearchLife } from "@lamplight/search";
import { verifySearch } from "@lamplight/search";

let folder: string;
let file: string;
let store: IndexStore;
let reader: SqliteReader;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-search-"));
  file = join(folder, "demo.search");
  store = openSqliteStore({ file: join(folder, "demo.db"), mode: "write" });
  reader = openSqliteReader({ file: join(folder, "demo.db") });
  const indexer = createIndexer(store);
  for (const { accounts, slot, blockhash } of generateChain(demoOptions))
    await indexer.applyAccounts(accounts, { slot, blockhash });
  const life = await startSearchLife({ viewSource: reader, file });
  await life.filled;
  await life.close();
});

afterEach(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Saves the index again, wrong in one thing, under a digest that fits. */
const tamper = async (change: (index: SearchIndex) => void): Promise<void> => {
  const view = await reader.openView("finalized");
  const { storeId } = view.terms;
  view.close();
  const { index } = (await loadIndexFile(file, async () => true))!;
  change(index);
  await saveIndexFile(file, () => ({ storeId, writer: null }), index);
};

describe("verifySearch", () => {
  test("finds no difference in an index that was kept well, saved or not", async () => {
    expect(await verifySearch(reader, file)).toEqual([]);
    expect(await verifySearch(reader, null)).toEqual([]);
  });

  test("names the term that lacks a member, or has one too many", async () => {
    await tamper((index) => index.findTerm({ kind: "interface", value: "V1_NFT" })!.remove(firstOf(index)));
    expect(await verifySearch(reader, file)).toContain("search term interface V1_NFT differs from SQL");
    await tamper((index) => index.findTerm({ kind: "frozen", value: true })!.add(999_999));
    expect(await verifySearch(reader, file)).toContain("search term frozen true differs from SQL");
  });

  test("names the orders of an index that lost an asset, or keeps one at a wrong place", async () => {
    await tamper((index) => index.order("created").remove([firstOf(index)]));
    expect(await verifySearch(reader, file)).toContainEqual(
      expect.stringContaining("search order created differs from SQL"),
    );
    await tamper((index) => {
      const { columns } = index;
      const ordinal = firstOf(index);
      columns.set(ordinal, columns.idOrPrefix(ordinal), 0, 2 ** 40);
      const order = index.order("updated");
      const listed = runThrough(order.listed());
      const [first, end] = [listed.get(0), listed.length - 1];
      listed.set(0, listed.get(end));
      listed.set(end, first);
      runThrough(order.restore(listed, columns.length));
    });
    expect(await verifySearch(reader, file)).toContainEqual(
      expect.stringContaining("search order updated differs from SQL"),
    );
  });

  test("names an asset whose keys are not the store's, and an order that is not that of its keys", async () => {
    await tamper(({ existing, columns }) => {
      const ordinal = existing.slice(existing.size >> 1, 1)[0]!;
      columns.set(ordinal, columns.idOrPrefix(ordinal), columns.createdSlot(ordinal), 2 ** 40);
    });
    const found = await verifySearch(reader, file);
    expect(found).toContainEqual(expect.stringMatching(/^search keys of asset number \d+ differ from SQL$/u));
    expect(found).toContain("search order updated is not the order of its keys");
    expect(found).not.toContain("search order id is not the order of its keys");
  });
});

const firstOf = (index: SearchIndex): number =>
  index.findTerm({ kind: "interface", value: "V1_NFT" })!.slice(0, 1)[0]!;
