import { tmpdir } from "node:os";
import { emptyChangeSet, ROWS_FORMAT, reads } from "@lamplight/core";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgresBulkLoad } from "./bulk/bulk-load.ts";
import { openPostgresExport } from "./copy/export-store.ts";
import { openPostgresImport } from "./copy/import-store.ts";
import { parsePostgresUrl } from "./engine/location.ts";
import { Session } from "./engine/session.ts";
import { planPostgresMigration } from "./schema/plan-migration.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";
import { migrate, migrations } from "./schema/migrate.ts";
import { accountOf, addressOf, assetOf, fill, slotOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../test/with-postgres.ts";

/** Runs one statement in the store's schema, as an administrator would. */
const execute = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const { connectionString, schema } = parsePostgresUrl(url);
  const client = new Client({ connectionString, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
};

const writerSessions = `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'lamplight writer' AND pid <> pg_backend_pid()`;

describeWithPostgres("openPostgresStore", (under) => {
  test("refuses a second writer, and lets one in when the first is gone", async () => {
    const url = under().newStore();
    const first = await openPostgresStore({ url, mode: "write" });
    await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject({ code: "STORE__LOCKED" });
    // Another store of the same database is not concerned.
    await (await openPostgresStore({ url: under().newStore(), mode: "write" })).close();
    await first.close();
    await (await openPostgresStore({ url, mode: "write" })).close();
  });

  test("opens no other session than the writer's own, where no pooler answers", async () => {
    const open = vi.spyOn(Session, "open");
    onTestFinished(() => open.mockRestore());
    const store = await openPostgresStore({ url: under().newStore(), mode: "write" });
    const roles = open.mock.calls.map(([, { role }]) => role);
    await store.close();
    expect(new Set(roles)).toEqual(new Set(["writer"]));
  });

  test("a writer that lost its lock to another keeps nothing of what it still tries to write", async () => {
    const url = under().newStore();
    const first = await openPostgresStore({ url, mode: "write" });
    await first.commit(slotOf(1, [accountOf("one")]));
    await execute(url, "SELECT 1");
    // The test acts as a failed network would: the server gives the lock away, and the writer does not know.
    await execute(url, "UPDATE head SET writer_epoch = writer_epoch + 1");
    await expect(first.commit(slotOf(2, [accountOf("two", { slot: 2 })]))).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    expect(await first.readWatermark()).toEqual({ slot: 1, blockhash: null });
    expect(await first.readAccountStates([addressOf("two")])).toEqual([null]);
    await expect(first.writeCoverage({ kind: "whole" })).rejects.toMatchObject({ code: "STORE__LOCKED" });
    expect(await first.readCoverage()).not.toEqual({ kind: "whole" });
    await first.close();
  });

  test("goes on by itself after its connection was cut, unless another wrote in the meantime", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    await execute(url, writerSessions);
    const commit = async () => store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    // The first call may meet the dead connection; the next makes a new one.
    await commit().catch((error: unknown) => expect(error).toMatchObject({ code: "STORE__UNREACHABLE" }));
    await commit();
    expect(await store.readWatermark()).toEqual({ slot: 2, blockhash: null });
    await execute(url, writerSessions);
    const other = await openPostgresStore({ url, mode: "write" });
    await other.close();
    await expect(
      (async () => {
        await commit().catch(() => undefined);
        await commit();
      })(),
    ).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await store.close();
  });

  test("writes nothing over the loss of commits that were acknowledged", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    await store.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    // The test acts as a replica that had not received the last commit and replaced the server.
    await execute(url, "UPDATE head SET slot = 1");
    const late = store.commit(slotOf(3, [accountOf("three", { slot: 3 })]));
    await expect(late).rejects.toMatchObject({ code: "STORE__WENT_BACK", context: { slot: 1 } });
    expect(await store.readAccountStates([addressOf("three")])).toEqual([null]);
    await store.close();
    const next = await openPostgresStore({ url, mode: "write" });
    await next.commit(slotOf(2, [accountOf("two", { slot: 2 })]));
    await next.close();
  });

  test("creates no store when the option is off", async () => {
    const url = under().newStore();
    await expect(openPostgresStore({ url, mode: "write", create: false })).rejects.toMatchObject({
      code: "STORE__MISSING",
    });
    expect(await execute(url, "SELECT 1 FROM pg_namespace WHERE nspname = current_schema()")).toEqual([]);
    await expect(openPostgresReader({ url })).rejects.toMatchObject({ code: "STORE__NOT_A_STORE" });
  });

  test("alters nothing while someone reads it for long, and keeps no one else from reading in the meantime", async () => {
    const url = under().newStore();
    const location = parsePostgresUrl(url);
    const session = await Session.open(location, { role: "writer" });
    await migrate(session, location.schema, migrations.slice(0, 1));
    const copying = await under().server.connect();
    await copying.query(`BEGIN; SELECT * FROM ${location.schema}.head`);
    const migrating = () => openPostgresStore({ url: `${url}&auto_migrate=on`, mode: "write" });
    await expect(migrating()).rejects.toMatchObject({ code: "STORE__LOCKED" });
    expect(await session.execute("SELECT change_seq FROM head")).toEqual([[0n]]);
    await copying.query("ROLLBACK");
    const store = await migrating();
    await store.commit(slotOf(1, [accountOf("one")]));
    await Promise.all([store.close(), session.close(), copying.end()]);
  });

  test("leaves an older schema as it is, unless it may update it, and says what a step locks", async () => {
    const url = under().newStore();
    const { schema } = parsePostgresUrl(url);
    const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    expect((await planPostgresMigration(url)).steps).toBeNull();
    await migrate(session, schema, migrations.slice(0, 4));
    const newest = migrations.length;
    for (const open of [
      () => openPostgresReader({ url }),
      () => openPostgresStore({ url, mode: "write" }),
      () => openPostgresBulkLoad({ url, folder: tmpdir() }),
    ]) {
      await expect(open()).rejects.toMatchObject({
        code: "STORE__NEEDS_MIGRATION",
        context: { found: 4, known: newest },
      });
    }
    const { steps, bytes } = await planPostgresMigration(url);
    expect(steps?.map(({ version }) => version)).toEqual(
      Array.from({ length: newest - 4 }, (_, index) => index + 5),
    );
    const locked = (version: number) =>
      steps?.find((step) => step.version === version)?.locks.map(({ table }) => table);
    expect([locked(5), locked(6), locked(7), locked(8)]).toEqual([
      ["offchain", "asset"],
      ["account"],
      ["head", "offchain"],
      ["asset", "asset_creator"],
    ]);
    expect(steps?.flatMap(({ locks }) => locks).every((lock) => lock.bytes > 0 && lock.bytes < bytes)).toBe(
      true,
    );
    expect(await session.execute("SELECT value FROM meta WHERE key = 'schema_version'")).toEqual([["4"]]);
    await (await openPostgresStore({ url, mode: "write", migrates: true })).close();
    expect((await planPostgresMigration(url)).steps).toEqual([]);
    await session.close();
  });

  test("refuses a newer schema and a foreign one, and leaves both as they are", async () => {
    const newer = under().newStore();
    await (await openPostgresStore({ url: newer, mode: "write" })).close();
    await execute(newer, "UPDATE meta SET value = '99' WHERE key = 'schema_version'");
    for (const open of [
      () => openPostgresReader({ url: newer }),
      () => openPostgresStore({ url: newer, mode: "write" }),
    ]) {
      await expect(open()).rejects.toMatchObject({
        code: "STORE__SCHEMA_TOO_NEW",
        context: { found: 99, known: migrations.length },
      });
    }
    const foreign = under().newStore();
    const { schema } = parsePostgresUrl(foreign);
    await execute(foreign, `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.orders (id integer)`);
    await expect(openPostgresStore({ url: foreign, mode: "write" })).rejects.toMatchObject({
      code: "STORE__NOT_A_STORE",
    });
    expect(
      await execute(foreign, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"),
    ).toEqual([{ tablename: "orders" }]);
  });

  test.each([
    ["of an earlier version, which kept no number", "DELETE FROM meta WHERE key = 'rows_format'", 1],
    ["of a later version", "UPDATE meta SET value = '999' WHERE key = 'rows_format'", 999],
  ])("refuses rows %s, however the store is opened", async (_which, sql, found) => {
    const url = under().newStore();
    await (await openPostgresStore({ url, mode: "write" })).close();
    await execute(url, sql);
    for (const open of [
      () => openPostgresReader({ url }),
      () => openPostgresStore({ url, mode: "write" }),
      () => openPostgresStore({ url, mode: "write", create: false }),
      () => openPostgresExport(url),
      () => openPostgresImport({ url, holdings: true }),
      () => openPostgresBulkLoad({ url, folder: tmpdir() }),
    ])
      await expect(open()).rejects.toMatchObject({
        code: "STORE__OTHER_FORMAT",
        context: { found, known: ROWS_FORMAT },
        message: expect.stringContaining("load again, into a new file or an empty schema"),
      });
  });

  test("copies into a store with the number of its rows' format", async () => {
    const [from, to] = [under().newStore(), under().newStore()];
    await (await openPostgresStore({ url: from, mode: "write" })).close();
    const source = await openPostgresExport(from);
    expect(source.head.notes).not.toHaveProperty("rows_format");
    const target = await openPostgresImport({ url: to, holdings: true });
    await target.finish(source.head, () => {});
    await target.close();
    await source.close();
    expect(await execute(to, "SELECT value FROM meta WHERE key = 'rows_format'")).toEqual([
      { value: String(ROWS_FORMAT) },
    ]);
  });

  test.each(["LATIN1", "SQL_ASCII"])(
    "refuses a database encoded in %s, which could not hold every document",
    async (encoding) => {
      const admin = await under().server.connect();
      const name = `other_${encoding.toLowerCase()}`;
      await admin.query(
        `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`,
      );
      await admin.end();
      const url = under().server.url.replace(/postgres$/u, name);
      const refused = {
        code: "STORE__NOT_A_STORE",
        message: expect.stringContaining(`encoded in ${encoding} instead of UTF8`),
      };
      await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject(refused);
      await expect(openPostgresReader({ url })).rejects.toMatchObject(refused);
    },
  );

  test("shows what cannot be reached without its password", async () => {
    const opening = openPostgresStore({ url: "postgres://someone:hush@127.0.0.1:1/db", mode: "write" });
    await expect(opening).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
      message: expect.not.stringContaining("hush"),
    });
    await expect(
      openPostgresStore({ url: under().server.url.replace(/postgres$/u, "nosuch"), mode: "write" }),
    ).rejects.toMatchObject({ code: "STORE__MISSING" });
  });

  test("keeps no holdings where it was made without, and says so", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write", holdings: false });
    await fill(store);
    const reader = await openPostgresReader({ url });
    const view = await reader.openView("finalized");
    const owner = {
      kind: "owner",
      owner: addressOf("wallet"),
      ownerModel: null,
      includeZero: false,
    } as const;
    await expect(view.terms.listOrdinals(owner, 10)).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    expect(await view.terms.listOrdinals({ ...owner, ownerModel: "single" }, 100)).toHaveLength(20);
    const holdings = view.read(reads.holdings({ tokenOwner: addressOf("wallet"), mints: [] }));
    await expect(holdings).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    view.close();
    reader.close();
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
  });

  test("keeps names and URIs with the character 0, which the server's own text cannot hold", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    const odd = {
      ...assetOf("odd"),
      name: "a\0B",
      jsonUri: "x\0y",
      groups: [{ key: "k\0", value: "\0", verified: true }],
    };
    await store.commit({ ...emptyChangeSet, assets: [odd] });
    expect(await store.readAssetPage(0, 1)).toEqual([{ ...odd, ordinal: 0 }]);
    await store.close();
  });
});

describeWithPostgres("checkIntegrity", (under) => {
  test.each([
    ["UPDATE account SET delegate = NULL WHERE delegate IS NOT NULL", "its delegate is indexed wrongly"],
    ["UPDATE holding SET positive = false", "its holding is indexed wrongly"],
    ["DELETE FROM holding", "holding has 0 rows"],
    ["DELETE FROM holder", "holder has 0 rows"],
    ["UPDATE holder SET amount = amount + 1", "its amount is indexed wrongly"],
    ["UPDATE holder_count SET empty = empty + 1", "its token accounts are counted wrongly"],
    ["DELETE FROM holder_count", "its token accounts are counted wrongly"],
    ["INSERT INTO holder_count VALUES (sha256('x'), 0, 0)", "its token accounts are counted wrongly"],
    ["DELETE FROM stake_hold", "its stake hold is indexed wrongly"],
    ["DELETE FROM top_account WHERE lamports < -9223372036854775800", "missing among the largest"],
    ["UPDATE asset_document SET document = '{' WHERE ord = 3", "is not JSON"],
    ["DELETE FROM asset_document WHERE ord = 3", "1 assets have no document"],
    ["DELETE FROM asset WHERE ord = 3", "1 documents belong to no asset"],
    ["UPDATE asset SET ord = 4 WHERE ord = 3", "1 ordinals are given twice"],
    ["UPDATE head SET change_seq = 1", "lie beyond the counters"],
    ["UPDATE account SET flags = flags | 32", "accounts have wrong flags"],
    [
      "INSERT INTO incomplete_tree SELECT address, 1, 2, NULL FROM account LIMIT 1",
      "incomplete_tree has 1 rows; the trees need 0",
    ],
    [
      "UPDATE asset SET folded_name = 'x' WHERE ord = 3",
      "asset number 3: its name is searched under another one",
    ],
    ["UPDATE asset SET json_uri_hash = 7 WHERE ord = 3", "asset number 3: its URI is found by another one"],
    ["INSERT INTO tombstone SELECT address, 1, 0, NULL, 1, 0 FROM account LIMIT 1", "1 addresses are both"],
    ["UPDATE account SET data = '\\x05', flags = flags | 4 WHERE delegate IS NOT NULL", "cannot be decoded"],
    ["DELETE FROM program", "a program that is not in the dictionary"],
  ])("after %s", async (damage, problem) => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.holders?.finish();
    await fill(store);
    expect(await store.checkIntegrity()).toEqual([]);
    await execute(url, damage);
    expect((await store.checkIntegrity()).join("\n")).toContain(problem);
    await store.close();
  });
});
