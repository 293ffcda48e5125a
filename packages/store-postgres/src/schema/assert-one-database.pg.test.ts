// Citus lists the tables that it spreads in `pg_dist_partition`. The test creates a catalog table of this name in a plain PostgreSQL.

import { Client } from "pg";
import { expect, test } from "vitest";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresExport } from "../copy/export-store.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";

const citusCatalog = `
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text);`;

describeWithPostgres("a store whose tables Citus spreads over several databases", (under) => {
  test("is neither served nor followed, and can be checked and copied", async () => {
    const url = under().newStore();
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit(slotOf(1, [accountOf("one")]));
    await store.close();
    const other = under().newStore();
    const client = new Client({ connectionString: under().server.url });
    await client.connect();
    await client.query(citusCatalog);
    const schema = new URL(url).searchParams.get("schema");
    await client.query("INSERT INTO pg_catalog.pg_dist_partition VALUES ($1::regclass, 'h', 'address')", [
      `${schema}.account`,
    ]);
    await client.end();

    const refused = { code: "STORE__MIXES_SLOTS" };
    await expect(openPostgresReader({ url })).rejects.toMatchObject(refused);
    const following = { url, mode: "write", refuseMixedSlots: true } as const;
    await expect(openPostgresStore(following)).rejects.toMatchObject(refused);
    // Nothing in the URL makes it accepted.
    await expect(openPostgresReader({ url: `${url}&accept_mixed_slots=on` })).rejects.toMatchObject(refused);

    const check = await openPostgresReader({ url, refuseMixedSlots: false });
    const view = await check.openView("finalized");
    expect(view.slot).toBe(1);
    view.close();
    check.close();
    const source = await openPostgresExport(url);
    expect(source.head.watermark).toEqual({ slot: 1, blockhash: null });
    await source.close();
    // Another store of the same database is another matter.
    const follower = await openPostgresStore({ ...following, url: other });
    await follower.close();
  });
});
