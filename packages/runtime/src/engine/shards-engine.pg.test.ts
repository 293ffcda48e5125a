import { DERIVATION, DERIVATION_KEY, emptyChangeSet } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineOf, nameOfStore } from "./engines.ts";

describePostgres("the engine of several databases", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  const urlOf = (name: string): string => {
    const url = new URL(server.url.replace(/^postgres(?:ql)?:/u, "shards:"));
    url.searchParams.set("schema", name);
    for (const place of [0, 1]) url.searchParams.append("shard", `${server.url}?schema=${name}_${place}`);
    return url.href;
  };

  test("writes, reads and drops a store by its URL", async () => {
    const url = urlOf("one");
    const engine = engineOf(url);
    await engine.assertWritable(url, "create");
    const store = await engine.openWriter(url, { create: true });
    await store.commit({ ...emptyChangeSet, watermark: { slot: 7, blockhash: null } });
    const reader = await engine.openReader(url, { viewsMax: 2, viewsIdle: 2 });
    const view = await reader.openView("finalized");
    expect(view.slot).toBe(7);
    expect(await reader.unfinalized?.readUnfinalizedHead()).toMatchObject({ watermark: { slot: 7 } });
    view.close();
    reader.close();
    await store.close();
    await engine.drop(url);
    await expect(engine.openWriter(url, { create: false })).rejects.toMatchObject({ code: "STORE__MISSING" });
  });

  test("lets one process fetch documents while another one writes", async () => {
    const url = urlOf("two");
    const engine = engineOf(url);
    const store = await engine.openWriter(url, { create: true });
    const documents = await engine.openDocuments(url);
    await expect(engine.openDocuments(url)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await store.commit({ ...emptyChangeSet, watermark: { slot: 7, blockhash: null } });
    await documents.offchain.writeNotedSeq(1);
    await store.commit({ ...emptyChangeSet, watermark: { slot: 8, blockhash: null } });
    expect([await documents.offchain.readNotedSeq(), (await store.readWatermark())?.slot]).toEqual([1, 8]);
    await documents.close();
    await store.close();
  });

  test("keeps one set of assets, so a writer refuses rows of other rules for good", async () => {
    const url = urlOf("three");
    const engine = engineOf(url);
    const head = { watermark: { slot: 7, blockhash: null }, changeSeq: 0, nextOrdinal: 0 };
    const copy = await engine.openCopy.to(url, true);
    await copy.finish(
      {
        ...head,
        coverage: { kind: "whole" },
        holdings: true,
        holders: false,
        notes: { [DERIVATION_KEY]: `${DERIVATION - 1}` },
      },
      () => {},
    );
    await copy.close();
    const store = await engine.openWriter(url, { create: false });
    expect([engine.keepsNextSet, store.nextSet]).toEqual([false, undefined]);
    const refused = createIndexer(store).applyAccounts([], { slot: 8, blockhash: null });
    await expect(refused).rejects.toThrow(
      `this version has rules ${DERIVATION}: it cannot derive them again`,
    );
    await store.close();
  });
});

test.each([
  "shards://me:hush@host/db",
  "shards://me:hush@host/db?shard=",
  "shards://me:hush@host/db?shard=postgres://me:hush@a/b&shard=postgres://me:hush@a/b",
])("%s is refused without its password", async (url) => {
  const refused = engineOf(url).assertWritable(url, "create");
  await expect(refused).rejects.toThrow(/^(?!.*hush).*invalid store/u);
  expect(nameOfStore(url)).toBe("shards://host/db");
});
