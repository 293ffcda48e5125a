import {
  askedFacts,
  assetRowColumns,
  type ColumnType,
  factColumns,
  factDescriptions,
  listTables,
  offchainRowColumns,
  plainTableColumns,
} from "@lamplight/core";
import { afterAll, expect, test } from "vitest";
import { migratedConnection } from "../../test/migrated-connection.ts";

const { connection, remove } = migratedConnection();
afterAll(remove);

const types: { readonly [Type in ColumnType]: string } = {
  int16: "INTEGER",
  int32: "INTEGER",
  int64: "INTEGER",
  flag: "INTEGER",
  bytes: "BLOB",
  text: "TEXT",
  plainText: "TEXT",
};

// Steps of a schema stay as they were released, so they are not made from the description. The sum of all is compared.
test("the columns of an asset are those that core describes", () => {
  expect(columnsOf("asset", ["ord", "id", "change_seq"])).toEqual(described(assetRowColumns));
});

test.each(listTables)("the columns of $table are those that core describes", ({ table, columns }) => {
  expect(columnsOf(table, ["ord", "position"]).toSorted(byName)).toEqual(described(columns).toSorted(byName));
});

test.each(plainTableColumns)("the columns of $table are those that core describes", ({ table, columns }) => {
  expect(columnsOf(table, []).toSorted(byName)).toEqual(described(columns).toSorted(byName));
});

test("the columns of a document are those that core describes", () => {
  const found = columnsOf("offchain", ["id", "uri_hash", "content_seq"]);
  expect(found.toSorted(byName)).toEqual(described(offchainRowColumns).toSorted(byName));
});

const byName = (one: readonly unknown[], other: readonly unknown[]): number =>
  String(one[0]).localeCompare(String(other[0]));

const columnsOf = (table: string, keys: readonly string[]): readonly (readonly unknown[])[] =>
  connection
    .prepare('SELECT name, type, "notnull" OR pk > 0 FROM pragma_table_info(?) ORDER BY cid')
    .all(table)
    .filter(([name]) => !keys.includes(name as string));

const described = (columns: typeof assetRowColumns): readonly (readonly unknown[])[] =>
  columns.map(({ name, type, isNullable }) => [name, types[type], isNullable ? 0n : 1n]);

test.each(askedFacts)(
  "there is an index of %s where its values are open, and none where they are few",
  (fact) => {
    const { name, isNullable } = factColumns[fact];
    const column = fact === "jsonUri" ? "json_uri_hash" : name;
    const sql = `CREATE INDEX asset_${name} ON asset (${column})${isNullable ? ` WHERE ${name} IS NOT NULL` : ""}`;
    const found = connection.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").all(`asset_${name}`);
    expect(found).toEqual(factDescriptions[fact].isOpen ? [[sql]] : []);
  },
);
