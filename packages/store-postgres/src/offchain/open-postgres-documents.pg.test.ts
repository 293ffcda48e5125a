import { type DocumentStore, reads } from "@lamplight/core";
import { slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, expect, test } from "vitest";
import { documentRow } from "../../test/document-row.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openWithSession } from "../open-postgres-store.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import { openPostgresDocuments } from "./open-postgres-documents.ts";

const uri = "https://a.example/1.json";

describeWithPostgres("the writer of documents", (under) => {
  const closing: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0).toReversed()) await one.close();
  });
  const opened = <One extends { close(): unknown }>(one: One): One => {
    closing.push(one);
    return one;
  };
  const open = async (url: string) => {
    const { store } = await openWithSession({ url, mode: "write" });
    return opened(store);
  };
  const openDocuments = async (url: string): Promise<DocumentStore> =>
    opened(await openPostgresDocuments({ url }));

  test("keeps what it raises in the head while a commit that read the head before is still open", async () => {
    const url = under().newStore();
    const store = await open(url);
    await store.commit(slotOf(1, []));
    const documents = await openDocuments(url);
    const reader = opened(await openPostgresReader({ url }));
    const read = async (): Promise<unknown> => {
      const view = await reader.openView("finalized");
      const found = await view.read(reads.contents([uri]));
      view.close();
      return found;
    };
    // The reader knows now that there are no documents, under the revision of the settings.
    expect(await read()).toEqual([null]);
    await store.commitWith(slotOf(2, []), async () => {
      await documents.offchain.writeRows([documentRow(uri, '{"description":"first"}')]);
    });
    expect(await read()).toEqual([{ parts: expect.stringContaining("first") }]);
    expect(await store.readWatermark()).toMatchObject({ slot: 2 });
  });

  test("refuses a second one, also the store's own writer, until it closes", async () => {
    const url = under().newStore();
    const store = await open(url);
    const documents = await openPostgresDocuments({ url });
    const refusal = { code: "STORE__LOCKED" };
    await expect(openPostgresDocuments({ url })).rejects.toMatchObject(refusal);
    await expect(store.offchain.writeRows([documentRow(uri, "{}")])).rejects.toMatchObject(refusal);
    await documents.close();
    await store.offchain.writeRows([documentRow(uri, "{}")]);
    await (await openPostgresDocuments({ url })).close();
  });

  test("says why it could not migrate the store, and leaves the store's lock", async () => {
    const url = under().newStore();
    await (await openWithSession({ url, mode: "write" })).store.close();
    const admin = await under().server.connect();
    const meta = `${new URL(url).searchParams.get("schema")}.meta`;
    const note = (version: string) =>
      admin.query(`UPDATE ${meta} SET value = $1 WHERE key = 'schema_version'`, [version]);
    const { rows } = await admin.query(`SELECT value FROM ${meta} WHERE key = 'schema_version'`);
    // The second step meets a table that is there.
    await note("1");
    const migrating = openPostgresDocuments({ url: `${url}&auto_migrate=on` });
    await expect(migrating).rejects.toThrow(/already exists/u);
    await note(rows[0].value);
    await admin.end();
    await open(url);
  });

  test("keeps nothing once another one has taken its lock", async () => {
    const url = under().newStore();
    await (await open(url)).commit(slotOf(1, []));
    const documents = await openDocuments(url);
    const admin = await under().server.connect();
    // The test acts as a failed network would: the server gives the lock away, and the writer does not know.
    const meta = `${new URL(url).searchParams.get("schema")}.meta`;
    await admin.query(`UPDATE ${meta} SET value = '77' WHERE key = 'documents_epoch'`);
    await admin.end();
    const refusal = { code: "STORE__LOCKED" };
    await expect(documents.offchain.writeRows([documentRow(uri, "{}")])).rejects.toMatchObject(refusal);
    await expect(documents.offchain.writeNotedSeq(7)).rejects.toMatchObject(refusal);
    expect(await documents.offchain.readRows([uri])).toEqual([null]);
  });

  test("goes on after its session was lost", async () => {
    const url = under().newStore();
    await (await open(url)).commit(slotOf(1, []));
    const documents = await openDocuments(url);
    await under().server.cutSessions("lamplight writer");
    const write = async () => documents.offchain.writeRows([documentRow(uri, "{}")]);
    await expect
      .poll(
        () =>
          write().then(
            () => "written",
            ({ code }) => code,
          ),
        { timeout: 60_000 },
      )
      .toBe("written");
  });

  test("does not make a store", async () => {
    await expect(openPostgresDocuments({ url: under().newStore() })).rejects.toMatchObject({
      code: "STORE__MISSING",
    });
  });
});
