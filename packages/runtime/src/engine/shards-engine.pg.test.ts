import { emptyChangeSet } from "@lamplight/core";
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

  test("refuses what it cannot do yet", async () => {
    const url = urlOf("two");
    const engine = engineOf(url);
    const refusal = { code: "STORE__NO_SUCH_USE" };
    await expect(engine.openBulkLoad(url, {})).rejects.toMatchObject(refusal);
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
