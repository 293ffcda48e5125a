// No Citus can be had from the registry. The tests show that the command refuses without it and leaves the store as it
// is. They also show that a server whose catalogue looks as with it understands the statements, once per table. They do
// not show what Citus does with them.

import { Client } from "pg";
import { expect, test } from "vitest";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../test/with-postgres.ts";
import { distribution } from "./schema/distribution.ts";
import { distributePostgresStore } from "./distribute.ts";

/** The names that Citus brings, which only write down what they were called with. */
const standIn = `
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
VALUES (99999, 'citus', 10, 11, false, '0');
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text);
CREATE FUNCTION pg_catalog.create_distributed_table(table_name regclass, distribution_column text,
  distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default', shard_count integer DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$ INSERT INTO pg_catalog.pg_dist_partition VALUES ($1, 'h', $2) $$;
CREATE FUNCTION pg_catalog.create_reference_table(table_name regclass)
RETURNS void LANGUAGE sql AS $$ INSERT INTO pg_catalog.pg_dist_partition VALUES ($1, 'n', NULL) $$;`;

describeWithPostgres("distributePostgresStore", (under) => {
  test("refuses a server without Citus and leaves the store as it is, then spreads each table once", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    await expect(distributePostgresStore(url)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await store.close();
    await expect(distributePostgresStore(url)).rejects.toMatchObject({ code: "STORE__NO_CITUS" });
    const again = await openPostgresStore({ url, mode: "write" });
    expect(await again.readWatermark()).toEqual({ slot: 1, blockhash: null });
    await again.close();

    const client = new Client({ connectionString: under().server.url });
    await client.connect();
    await client.query(standIn);
    const tables = Object.keys(distribution);
    const everywhere = tables.filter((table) => distribution[table] === "everywhere");
    expect(await distributePostgresStore(url)).toEqual({
      spread: tables.filter((table) => !everywhere.includes(table)),
      everywhere,
      already: [],
    });
    const { rows } = await client.query<{ name: string; partkey: string | null }>(
      "SELECT relname AS name, partkey FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid",
    );
    expect(new Map(rows.map(({ name, partkey }) => [name, partkey]))).toEqual(
      new Map(
        Object.entries(distribution).map(([table, rule]) => [table, rule === "everywhere" ? null : rule.by]),
      ),
    );
    expect(await distributePostgresStore(url)).toEqual({ spread: [], everywhere: [], already: tables });

    const refused = { code: "STORE__MIXES_SLOTS" };
    await expect(openPostgresReader({ url })).rejects.toMatchObject(refused);
    await expect(openPostgresStore({ url, mode: "write", refuseMixedSlots: true })).rejects.toMatchObject(
      refused,
    );
    const accepting = `${url}&accept_mixed_slots=on`;
    (await openPostgresReader({ url: accepting })).close();
    const follower = await openPostgresStore({ url: accepting, mode: "write", refuseMixedSlots: true });
    await follower.close();
    // Another store of the same database is another matter.
    expect((await distributePostgresStore(under().newStore())).already).toEqual([]);
    await client.end();
  });
});
