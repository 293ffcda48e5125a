// A message names what a role lacks, and what to do: the server itself calls tables that a role may not see missing.
import { Client } from "pg";
import { expect, test } from "vitest";
import { describeWithPostgres } from "../test/with-postgres.ts";
import { parsePostgresUrl } from "./engine/location.ts";
import { PostgresKeyTables } from "./keys/key-tables.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { openPostgresReader } from "./reader/open-postgres-reader.ts";

/** Code and message of what an opening throws; null = it was opened. */
const refusalOf = async (opening: Promise<{ close(): unknown }>): Promise<unknown> => {
  try {
    await (await opening).close();
    return null;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return [code, message];
  }
};

const refused = (what: string) => ["STORE__READ_ONLY", expect.stringContaining(`refused: ${what}`)];

describeWithPostgres("a role without rights", (under) => {
  test("is told what it may not do, from a store that it may not see to one that it may read", async () => {
    const url = under().newStore();
    await (await openPostgresStore({ url, mode: "write" })).close();
    const { connectionString, schema } = parsePostgresUrl(url);
    const admin = new Client({ connectionString });
    await admin.connect();
    await admin.query("CREATE ROLE stranger LOGIN");
    const own = new URL(url);
    own.username = "stranger";
    const read = async () => refusalOf(openPostgresReader({ url: own.href }));
    expect(await read()).toEqual(refused(`permission denied for schema ${schema}; grant it to the role`));
    await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO stranger`);
    expect(await read()).toEqual(refused("permission denied for table meta; grant it to the role"));
    await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO stranger`);
    expect(await read()).toBeNull();
    const write = () => refusalOf(openPostgresStore({ url: own.href, mode: "write" }));
    expect(await write()).toEqual(refused("permission denied for"));
    await admin.query("ALTER ROLE stranger SET default_transaction_read_only = on");
    expect(await write()).toEqual(refused("cannot execute"));

    const keys = () => new PostgresKeyTables(own.href).read(null);
    await expect(keys()).rejects.toMatchObject({ code: "STORE__MISSING" });
    await new PostgresKeyTables(url).change((records) => ({ records: [...records, "one"], audit: "{}" }));
    await expect(keys()).rejects.toMatchObject({
      message: expect.stringContaining("refused: permission denied for schema lamplight_keys") as string,
    });
    await admin.end();
  });
});
