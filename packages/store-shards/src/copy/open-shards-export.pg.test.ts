// What a store of several shards exports is what a store in one database exports after the same commits.

import { type StoreExport, type StoreTable, storeTables } from "@lamplight/core";
import { fill } from "@lamplight/store-conformance/copy-story";
import { openPostgresExport, openPostgresStore } from "@lamplight/store-postgres";
import { expect, test } from "vitest";
import { describeShards } from "../../test/shards-under-test.ts";
import { openShardsStore } from "../writer/open-shards-store.ts";
import { openShardsExport } from "./open-shards-export.ts";

const settings = { mode: "write", holdBackMs: 600_000 } as const;

const contentOf = async (kept: StoreExport): Promise<Record<string, unknown>> => {
  const tables: Partial<Record<StoreTable, unknown[]>> = {};
  for (const table of storeTables) {
    const rows: unknown[] = [];
    for await (const page of kept.pages(table)) rows.push(...page);
    tables[table] = rows;
  }
  await kept.close();
  return { head: kept.head, ...tables };
};

describeShards("an export of several shards", (newStore, server) => {
  test("has every row of every table, in the same order", async () => {
    const plainUrl = `${server().url}?schema=plain`;
    const plain = await openPostgresStore({ url: plainUrl, mode: "write" });
    await fill(plain);
    await plain.close();
    const wanted = await contentOf(await openPostgresExport(plainUrl));

    const url = newStore();
    const store = await openShardsStore({ url, ...settings });
    await fill(store);
    await expect(openShardsExport(url)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await store.close();
    // No row of it has been written yet.
    const found = await contentOf(await openShardsExport(url));
    expect(found).toEqual(wanted);
    expect(storeTables.filter((table) => (found[table] as unknown[]).length === 0)).toEqual([]);
  });

  test("needs no lock where the rows are not behind", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, ...settings });
    await fill(store);
    expect(await store.checkIntegrity()).toEqual([]);
    const kept = await openShardsExport(url);
    const before = await contentOf(kept);
    expect(before["accounts"]).not.toEqual([]);
    await store.close();
  });
});
