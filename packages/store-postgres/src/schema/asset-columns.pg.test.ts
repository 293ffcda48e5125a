import {
  askedFacts,
  assetRowColumns,
  factColumns,
  factDescriptions,
  listTables,
  offchainRowColumns,
  plainTableColumns,
} from "@lamplight/core";
import { expect, test } from "vitest";
import { assetColumns, columnTypes } from "../columns/asset-row.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";

const columns = statement(`SELECT column_name::text, data_type::text, is_nullable = 'YES'
FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'asset'
AND column_name NOT IN ('id', 'ord', 'change_seq') ORDER BY ordinal_position`);
const itemColumns = statement(`SELECT column_name::text, data_type::text, is_nullable = 'YES'
FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1
AND column_name <> ALL ($2::text[]) ORDER BY column_name COLLATE "C"`);
const indexes = statement(
  "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'asset'",
);

describeWithPostgres("the table of assets", (under) => {
  // Steps of a schema stay as they were released, so they are not made from the description. The sum of all is compared.
  test("has the columns that core describes, and an index of each fact whose values are open", async () => {
    const url = under().newStore();
    await (await openPostgresStore({ url, mode: "write" })).close();
    const session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    try {
      expect(await session.all(columns)).toEqual(
        assetColumns.map(([name, type], place) => [name, type, assetRowColumns[place]!.isNullable]),
      );
      const tables = [
        ...listTables.map((list) => ({ ...list, keys: ["id", "ord", "position"] })),
        ...plainTableColumns.map((plain) => ({ ...plain, keys: [] })),
        { table: "offchain", columns: offchainRowColumns, keys: ["uri_key", "content_seq"] },
      ];
      for (const { table, columns: described, keys } of tables)
        expect(await session.all(itemColumns, table, arrayParameter("text", keys)), table).toEqual(
          described
            .map(({ name, type, isNullable }) => [name, columnTypes[type], isNullable])
            .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
        );
      const found = new Set((await session.all(indexes)).map(([name]) => name));
      for (const fact of askedFacts)
        expect(found.has(`asset_${factColumns[fact].name}`), fact).toBe(factDescriptions[fact].isOpen);
    } finally {
      await session.close();
    }
  });
});
