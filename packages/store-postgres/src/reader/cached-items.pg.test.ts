import {
  CallRequest,
  createMethodSettings,
  type IndexStore,
  type OffchainRow,
  type Ordinal,
  reads,
} from "@lamplight/core";
import { cachedOf, readPageTwice } from "@lamplight/store-conformance/cached-items";
import { offchainRow } from "@lamplight/store-conformance/offchain-rows";
import { assetOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dropPostgresStore } from "../drop-postgres-store.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { migrate, migrations } from "../schema/migrate.ts";
import { openPostgresReader } from "./open-postgres-reader.ts";
import type { PostgresReader } from "./postgres-reader.ts";

// Tests of what both stores forget are in tools/store-conformance.

const uri = "https://a.test/1.json";
const assets = [0, 1, 2].map((index) => ({ ...assetOf(index), jsonUri: index === 1 ? uri : "" }));

const rowOf = (description: string | null): OffchainRow =>
  offchainRow(uri, {
    status: "ok",
    json: description === null ? null : JSON.stringify({ description }),
    dueMs: null,
  });

/** Documents that lie in their own URIs, of 255 KiB each. */
const documentsInUris = (from: number, to: number): readonly OffchainRow[] =>
  Array.from({ length: to - from }, (_, index) => ({
    ...rowOf("a"),
    uri: `data:application/json,${String(from + index).padEnd(255 << 10, "x")}`,
  }));

describeWithPostgres("cached items of PostgreSQL", (under) => {
  let url: string;
  let store: IndexStore;
  let reader: PostgresReader;
  let ordinals: readonly Ordinal[];

  const fillStore = async (): Promise<void> => {
    store = await openPostgresStore({ url, mode: "write", migrates: true });
    await store.writeCoverage({ kind: "whole" });
    ({ ordinals } = await store.commit(slotOf(1, [], { assets })));
  };
  beforeEach(async () => {
    url = under().newStore();
    await fillStore();
    reader = await openPostgresReader({ url });
  });
  afterEach(async () => {
    reader.close();
    await store.close();
  });

  const execute = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    const rows = await session.execute(sql);
    await session.close();
    return rows;
  };

  const write = async (...rows: readonly OffchainRow[]): Promise<void> => {
    await store.offchain!.writeRows(rows);
  };
  /** Reads the `content_seq` of the head and of the one document. */
  const numbers = async (): Promise<unknown> => {
    const columns = "head.content_seq::integer, offchain.content_seq::integer";
    return (await execute(`SELECT ${columns} FROM head, offchain WHERE head.id = 1`))[0];
  };

  const cached = (): Promise<readonly boolean[] | null> => cachedOf({ reader }, ordinals);
  const readTwice = async (): Promise<void> => {
    await readPageTwice({ reader });
    expect(await cached()).toEqual([true, true, true]);
  };

  test("are cached also where no document adds to them, and read without a statement", async () => {
    expect(await cached()).toEqual([false, false, false]);
    await readTwice();
    const view = await reader.openView("finalized");
    const sent = vi.spyOn(Session.prototype, "all");
    expect(await view.read(reads.itemCache(ordinals))).not.toBeNull();
    expect(sent).not.toHaveBeenCalled();
    sent.mockRestore();
    view.close();
    await store.commit(slotOf(2, [], { assets: [assets[2]!] }));
    expect(await cached()).toEqual([true, true, false]);
  });

  test("are forgotten with a new writer, and with a store that was put back", async () => {
    await readTwice();
    await store.close();
    store = await openPostgresStore({ url, mode: "write" });
    expect(await cached()).toEqual([false, false, false]);
    await readTwice();
    await store.close();
    await dropPostgresStore(url);
    await fillStore();
    expect(await cached()).toEqual([false, false, false]);
  });

  test.each(["change_seq", "slot", "settings_revision"])(
    "are forgotten where a database has an earlier %s than one before, also for views that are open",
    async (column) => {
      await store.commit(slotOf(2, []));
      await store.writeCoverage({ kind: "whole" });
      await readTwice();
      const older = await reader.openView("finalized");
      await execute(`UPDATE head SET ${column} = ${column} - 1`);
      expect(await cached()).toEqual([false, false, false]);
      expect(await older.read(reads.itemCache(ordinals))).toBeNull();
      older.close();
      expect(await cached()).toEqual([false, false, false]);
    },
  );

  test("number a document by what it adds: new rows without content, and the same again, move nothing", async () => {
    await readTwice();
    await write(rowOf(null));
    expect(await numbers()).toEqual([0, -1]);
    expect(await cached()).toEqual([true, true, true]);
    await write(rowOf("a"));
    expect(await numbers()).toEqual([1, 1]);
    expect(await cached()).toEqual([true, false, true]);
    await readTwice();
    await write(rowOf("a"), { ...rowOf(null), uri: "https://a.test/other" });
    await write(rowOf("a"));
    expect(await cached()).toEqual([true, true, true]);
    await write(rowOf(null));
    expect(await cached()).toEqual([true, false, true]);
  });

  test("know the documents of a store that was made before documents had numbers", async () => {
    url = under().newStore();
    const { schema } = parsePostgresUrl(url);
    const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    await migrate(session, schema, migrations.slice(0, 6));
    await session.close();
    await store.close();
    reader.close();
    await fillStore();
    reader = await openPostgresReader({ url });
    await store.offchain!.writeRows([rowOf("a")]);
    await execute("UPDATE offchain SET content_seq = 0; UPDATE head SET content_seq = 0");
    await readTwice();
    await store.offchain!.writeRows([rowOf("a")]);
    expect(await cached()).toEqual([true, true, true]);
    await store.offchain!.writeRows([rowOf("b")]);
    expect(await cached()).toEqual([true, false, true]);
  });

  test("are all forgotten where the URIs of changed documents are too long to be read", async () => {
    await readTwice();
    await write(...documentsInUris(0, 15));
    expect(await cached()).toEqual([true, true, true]);
    await write(...documentsInUris(15, 32));
    expect(await cached()).toEqual([false, false, false]);
  });

  test("are one reader's: another one, and one without a writer, has its own", async () => {
    await readTwice();
    await store.close();
    const other = await openPostgresReader({ url });
    expect(await cachedOf({ reader: other }, ordinals)).toEqual([false, false, false]);
    await readPageTwice({ reader: other });
    expect(await cachedOf({ reader: other }, ordinals)).toEqual([true, true, true]);
    other.close();
    expect(await cached()).toEqual([true, true, true]);
  });

  test("are given up where many views are open while documents and assets change", async () => {
    await readTwice();
    for (let round = 1; round <= 20; round += 1) {
      const settings = createMethodSettings({ apiVersion: "0" });
      const requests = Array.from({ length: 4 }, () => new CallRequest({ viewSource: reader, settings }));
      const reading = requests.map((one) => one.view("finalized"));
      const changing = [
        store.commit(slotOf(round + 1, [], { assets: [{ ...assets[0]!, document: `{"at":${round}}` }] })),
        store.offchain!.writeRows([rowOf(`at ${round}`)]),
      ];
      const opened = await Promise.all(reading);
      await Promise.all(changing);
      for (const view of opened) {
        const items = await view.read(reads.itemCache(ordinals));
        const [own] = await view.read(reads.ownAssets([ordinals[0]!]));
        const item = items?.find(ordinals[0]!);
        if (item !== undefined)
          expect(item.bytes.toString("utf8", item.start, item.start + item.size)).toBe(own!.document);
      }
      for (const one of requests) one.close();
      await readTwice();
    }
  });
});
