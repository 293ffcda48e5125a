import { askedFacts, assetRowColumns, type ColumnType, factColumns, factDescriptions } from "@lamplight/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Connection } from "../engine/connection.ts";
import { temporaryFile } from "../../test/temporary-file.ts";
import { migrate } from "./migrate.ts";

let connection: Connection;
let remove: () => void;
beforeAll(() => {
  const place = temporaryFile();
  ({ remove } = place);
  connection = new Connection(place.file, { readOnly: false, busyMs: 0 });
  migrate(connection);
});
afterAll(() => {
  connection.close();
  remove();
});

const types: { readonly [Type in ColumnType]: string } = {
  int16: "INTEGER",
  int32: "INTEGER",
  int64: "INTEGER",
  flag: "INTEGER",
  bytes: "BLOB",
  text: "TEXT",
};

// Steps of a schema stay as they were released, so they are not made from the description. The sum of all is compared.
test("the columns of an asset are those that core describes", () => {
  const keys = new Set(["ord", "id", "change_seq"]);
  const found = connection
    .prepare("SELECT name, type, \"notnull\" FROM pragma_table_info('asset') ORDER BY cid")
    .all()
    .filter(([name]) => !keys.has(name as string));
  expect(found).toEqual(
    assetRowColumns.map(({ name, type, isNullable }) => [name, types[type], isNullable ? 0n : 1n]),
  );
});

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
