// A database is restored to an earlier time and written again, past its old slot, while a node that serves from it is cut
// off, or still has views of the server before: no count the node could compare says so.

import {
  type Asset,
  emptyChangeSet,
  type ReadView,
  type ViewSource,
  REMOVALS_KEPT_CHANGES,
  reads,
} from "@lamplight/core";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore, type PostgresReader } from "@lamplight/store-postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { assetOf, slotOf } from "../../store-conformance/src/small-chain.ts";
import { type Proxy, startProxy } from "../../../packages/store-postgres/test/start-proxy.ts";

const ASSETS = 40;
const patience = { timeout: 300_000, interval: 20 };

const assetsOf = (name: string, slot: number): readonly Asset[] =>
  Array.from({ length: ASSETS }, (_, index) => ({
    ...assetOf(`${name} ${index}`),
    burnt: name.startsWith("undone"),
    createdSlot: slot,
    updatedSlot: slot,
  }));

const burnt = async (viewSource: ViewSource): Promise<unknown> =>
  burntAt(await viewSource.openView("finalized"));

const burntAt = async (view: ReadView): Promise<unknown> => {
  try {
    return await view.read(
      reads.search({
        criteria: [{ kind: "burnt", value: true }],
        match: "all",
        negate: false,
        sort: "id",
        direction: "asc",
        start: { kind: "page", page: 1 },
        limit: 1000,
      }),
    );
  } finally {
    view.close();
  }
};

describePostgres("a node that was cut off while its database was put back", () => {
  let server: TestPostgres;
  let proxy: Proxy;
  let reader: PostgresReader;
  let life: SearchLife;
  let foreign = 0;
  let stores = 0;
  let url: string;
  let schema: string;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    stores += 1;
    schema = `store_${stores}`;
    url = `${server.url}?schema=${schema}`;
    await write("kept", 1);
    await keep();
    await write("undone", 2);
    proxy = await startProxy(server.url);
    reader = await openPostgresReader({ url: proxy.urlOf(url) });
    foreign = 0;
    life = await startSearchLife({
      viewSource: reader,
      file: null,
      onForeign: () => {
        foreign += 1;
      },
    });
    await life.filled;
  });
  afterEach(async () => {
    await life.close();
    reader.close();
    await proxy.close();
  });

  /** A writer that opens the store, writes one slot, and ends. */
  const write = async (name: string, slot: number): Promise<void> => {
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(slot, [], { assets: assetsOf(name, slot) }));
    await store.close();
  };

  const inEveryTable = async (sqlOf: (table: string) => string): Promise<void> => {
    const admin = await server.connect();
    try {
      const { rows } = await admin.query<{ tablename: string }>(
        "SELECT tablename FROM pg_tables WHERE schemaname = $1",
        [schema],
      );
      await admin.query(["BEGIN", ...rows.map(({ tablename }) => sqlOf(tablename)), "COMMIT"].join(";"));
    } finally {
      await admin.end();
    }
  };
  const keep = () =>
    inEveryTable((table) => `CREATE TABLE public.${schema}_${table} AS TABLE ${schema}.${table}`);
  const putBack = () =>
    inEveryTable(
      (table) =>
        `TRUNCATE ${schema}.${table}; INSERT INTO ${schema}.${table} TABLE public.${schema}_${table}`,
    );

  const whenBack = (): Promise<unknown> => vi.waitFor(() => burnt(life.viewSource), patience);

  test("answers nothing out of an index that holds what never was", async () => {
    expect(await burnt(life.viewSource)).toMatchObject({ total: ASSETS });
    proxy.hangUp();
    await putBack();
    await write("other", 2);
    await write("another", 3);
    proxy.goOn();
    expect(await whenBack()).toMatchObject({ total: 0 });
    await life.catchUp();
    expect(foreign).toBe(1);
    expect(await burnt(life.viewSource)).toMatchObject({ total: 0 });
  });

  test("goes on with its index where only writers came and went", async () => {
    proxy.hangUp();
    await write("other", 3);
    await write("another", 4);
    proxy.goOn();
    expect(await whenBack()).toMatchObject({ total: ASSETS });
    await vi.waitFor(() => expect(life.index.existing.size).toBe(4 * ASSETS), patience);
    expect(foreign).toBe(0);
  });

  test("fills its index again where what was removed in the meantime is reported no more", async () => {
    proxy.hangUp();
    const store = await openPostgresStore({ url, mode: "write" });
    const [gone, last] = assetsOf("undone", 2);
    await store.commit({ ...emptyChangeSet, assetsRemoved: [gone!.id] });
    const admin = await server.connect();
    await admin.query(`UPDATE ${schema}.head SET change_seq = change_seq + ${REMOVALS_KEPT_CHANGES}`);
    await store.commit({ ...emptyChangeSet, assetsRemoved: [last!.id] });
    const { rows } = await admin.query(`SELECT change_seq FROM ${schema}.asset_removed`);
    expect(rows).toHaveLength(1);
    await admin.end();
    await store.close();
    proxy.goOn();
    await vi.waitFor(() => expect(foreign).toBe(1), patience);
  });
});

describePostgres(
  "a node with views of a server whose place another one took, which lacks its last slots",
  () => {
    let server: TestPostgres;
    let promoted: TestPostgres;

    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await promoted?.stop();
      await server?.stop();
    });

    test("answers each view as its own server has it, and mixes nothing of the two", async () => {
      const first = await openPostgresStore({ url: server.url, mode: "write" });
      await first.commit(slotOf(1, [], { assets: assetsOf("kept", 1) }));
      promoted = await server.startReplica();
      await promoted.promote();
      const [before, after] = await Promise.all([
        openPostgresReader({ url: server.url }),
        openPostgresReader({ url: promoted.url }),
      ]);
      const life = await startSearchLife({ viewSource: after, file: null });
      expect(await life.filled).toBe(true);

      await first.commit(slotOf(2, [], { assets: assetsOf("undone", 2) }));
      const atSameNumber = await before.openView("finalized");
      await first.commit(slotOf(3, [], { assets: assetsOf("undone too", 3) }));
      const above = await before.openView("finalized");
      await first.close();

      const second = await openPostgresStore({ url: promoted.url, mode: "write" });
      await second.commit(slotOf(2, [], { assets: assetsOf("other", 2) }));
      await second.close();
      await life.catchUp();
      expect(life.index.isAt(atSameNumber.terms.changeSeq)).toBe(true);

      expect(await burntAt(life.over(above))).toMatchObject({ total: 2 * ASSETS });
      expect(await burntAt(life.over(atSameNumber))).toMatchObject({ total: ASSETS });
      expect(await burnt(life.viewSource)).toMatchObject({ total: 0 });
      expect(life.status()).toMatchObject({ isFilling: false, assets: 2 * ASSETS });
      await life.close();
      before.close();
      after.close();
    });
  },
);
