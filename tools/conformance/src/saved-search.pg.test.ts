// Nodes over one PostgreSQL keep one file with a search index between them. Regardless of what lies there, they answer as the
// database does.

import { copyFileSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssetQuery, type ViewSource, reads } from "@lamplight/core";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { type OpenedReader, openStoreForReading } from "@lamplight/runtime";
import { openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { assetOf, slotOf } from "../../store-conformance/src/small-chain.ts";

const ASSETS = 40;

const queries = (["id", "created", "updated"] as const).flatMap((sort) =>
  [true, false].map((value): AssetQuery => ({
    criteria: [{ kind: "burnt", value }],
    match: "all",
    negate: false,
    sort,
    direction: "asc",
    start: { kind: "page", page: 1 },
    limit: 1000,
  })),
);

const answersOf = async (viewSource: ViewSource): Promise<unknown> => {
  const view = await viewSource.openView("finalized");
  try {
    return await Promise.all(queries.map(async (query) => view.read(reads.search(query))));
  } finally {
    view.close();
  }
};

describePostgres("the saved search index of PostgreSQL nodes", () => {
  let server: TestPostgres;
  let folder: string;
  let schema: string;
  let url: string;
  let stores = 0;
  let nodes: { readonly reader: OpenedReader; readonly life: SearchLife }[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "saved-search-"));
    ({ schema, url } = newStore());
    await write("first", 1);
  });
  afterEach(async () => {
    await stopNodes();
    rmSync(folder, { recursive: true });
  });

  const newStore = () => {
    stores += 1;
    const name = `saved_${stores}`;
    return { schema: name, url: `${server.url}?schema=${name}` };
  };

  /** A writer that opens the store, writes one slot, and ends. */
  const write = async (name: string, slot: number, to = url): Promise<void> => {
    const store = await openPostgresStore({ url: to, mode: "write" });
    const assets = Array.from({ length: ASSETS }, (_, index) => ({
      ...assetOf(`${name} ${index}`),
      burnt: index % 3 === 0,
      createdSlot: slot,
      updatedSlot: slot,
    }));
    await store.commit(slotOf(slot, [], { assets }));
    await store.close();
  };

  /** Starts a node, and says whether it read the store from its first change on. It has to answer as SQL does. */
  const startNode = async (of = url): Promise<{ readonly isFilled: boolean }> => {
    const reader = await openStoreForReading(of, { searchCache: folder });
    let isFilled = false;
    const life = await startSearchLife({
      viewSource: reader,
      file: reader.searchFile,
      // Nothing else may answer in its place.
      sqlChangesMax: 0,
      onProgress: () => {
        isFilled = true;
      },
      onForeign: () => expect.unreachable("a file that does not belong to the store was taken over"),
    });
    nodes.push({ reader, life });
    await life.filled;
    expect(await answersOf(life.viewSource)).toEqual(await answersOf(reader));
    return { isFilled };
  };

  const stopNodes = async (): Promise<void> => {
    for (const { reader, life } of nodes) {
      await life.close();
      reader.close();
    }
    nodes = [];
  };

  const savedFile = async (of = url): Promise<string> => {
    const reader = await openStoreForReading(of, { searchCache: folder });
    reader.close();
    return reader.searchFile;
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

  test("is taken over after a restart and caught up, anyone who wrote in between", async () => {
    expect(await startNode()).toEqual({ isFilled: true });
    await stopNodes();
    expect(await startNode()).toEqual({ isFilled: false });
    await stopNodes();
    await write("second", 2);
    await write("third", 3);
    expect(await startNode()).toEqual({ isFilled: false });
  });

  test("is there for a second node while the first one runs, and for both when they end together", async () => {
    await startNode();
    await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith(".search"))).toHaveLength(1);
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    expect(await startNode()).toEqual({ isFilled: false });
    await write("second", 2);
    await Promise.all(nodes.map(({ life }) => life.catchUp()));
    await Promise.all(nodes.map(({ life }) => life.close()));
    expect(readdirSync(folder)).toHaveLength(1);
    await stopNodes();
    expect(await startNode()).toEqual({ isFilled: false });
  });

  test("is filled again over the file of another store, and over one that is torn or foreign", async () => {
    await startNode();
    await stopNodes();
    const file = await savedFile();
    const other = newStore().url;
    await write("other", 1, other);
    copyFileSync(file, await savedFile(other));
    expect(await startNode(other)).toEqual({ isFilled: true });
    await stopNodes();
    expect(await startNode(other)).toEqual({ isFilled: false });
    await stopNodes();
    truncateSync(file, 500);
    expect(await startNode()).toEqual({ isFilled: true });
    await stopNodes();
    writeFileSync(file, "not an index\n".repeat(100));
    expect(await startNode()).toEqual({ isFilled: true });
    await stopNodes();
    expect(await startNode()).toEqual({ isFilled: false });
  });

  test("is filled again where the store was restored to an earlier state, and where it was written on since", async () => {
    await keep();
    await write("undone", 2);
    await startNode();
    await stopNodes();
    const file = await savedFile();
    const ahead = `${file}.ahead`;
    copyFileSync(file, ahead);
    await putBack();
    expect(await startNode()).toEqual({ isFilled: true });
    await stopNodes();
    // Past where the file stands: no count says so.
    await write("other", 2);
    await write("another", 3);
    copyFileSync(ahead, file);
    expect(await startNode()).toEqual({ isFilled: true });
    await stopNodes();
    expect(await startNode()).toEqual({ isFilled: false });
  });
});
