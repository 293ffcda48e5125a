import { writeNodesState } from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Connection } from "../engine/connection.ts";
import { temporaryFile } from "../../test/temporary-file.ts";
import { assertSchemaIsCurrent, migrate, migrations } from "./migrate.ts";

let connection: Connection;
let remove: () => void;
beforeEach(() => {
  const place = temporaryFile();
  ({ remove } = place);
  connection = new Connection(place.file, { readOnly: false, busyMs: 0 });
});
afterEach(() => {
  connection.close();
  remove();
});

const newest = migrations.length;
const nextSteps = (sql: string) => [...migrations, { version: newest + 1, name: "later", sql }];
const schemaOf = () => connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
const versionOf = () => connection.readNumber("PRAGMA user_version");

describe("migrate", () => {
  test("numbers its steps from 1 without gaps", () => {
    expect(migrations.map((step) => step.version)).toEqual(migrations.map((_, index) => index + 1));
  });

  test("makes a store of an empty file, and changes nothing the second time", () => {
    expect(migrate(connection)).toBe(true);
    const schema = schemaOf();
    expect(migrate(connection)).toBe(false);
    expect(schemaOf()).toEqual(schema);
    expect(versionOf()).toBe(newest);
  });

  test("goes forward from where the file stands, keeping its rows", () => {
    migrate(connection);
    connection.execute("INSERT INTO meta VALUES ('kept', 'yes')");
    const steps = nextSteps("CREATE TABLE later (id INTEGER PRIMARY KEY); INSERT INTO later VALUES (7);");
    migrate(connection, steps);
    migrate(connection, steps);
    expect(connection.readNumber("SELECT id FROM later")).toBe(7);
    expect(connection.prepare("SELECT value FROM meta WHERE key = 'kept'").get()).toEqual(["yes"]);
    expect(versionOf()).toBe(newest + 1);
  });

  test("names the queues of the documents that an older version put off", () => {
    migrate(connection, migrations.slice(0, 3));
    const insert = connection.prepare(
      `INSERT INTO offchain (uri_hash, uri, status, immutable, first_seen_ms, due_ms, attempts, shown)
       VALUES (1, ?, 0, 0, 1, ?, 0, 1)`,
    );
    insert.run("https://x.a.test/1", 5);
    insert.run("ipfs://bafy", 6);
    insert.run("https://b.test/", null);
    migrate(connection);
    expect(connection.prepare("SELECT queue, due_ms FROM offchain ORDER BY id").all()).toEqual([
      ["a.test", 5n],
      ["ipfs", 6n],
      ["", null],
    ]);
  });

  test("removes nodes of trees as an older version kept them", () => {
    migrate(connection, migrations.slice(0, 9));
    const insert = connection.prepare("INSERT INTO ledger VALUES (?, ?, ?, 'x')");
    for (const kind of [0, 1, 2]) insert.run(kind, new Uint8Array(32), new Uint8Array(32));
    insert.run(2, new Uint8Array(32).fill(1), new Uint8Array(32));
    migrate(connection);
    expect(connection.prepare("SELECT kind, state FROM ledger ORDER BY kind").all()).toEqual([
      [0n, "x"],
      [1n, "x"],
      [2n, writeNodesState({ after: null, isFilled: false })],
    ]);
  });

  test("leaves the file as it was when a step fails in its middle", () => {
    migrate(connection);
    const schema = schemaOf();
    expect(() =>
      migrate(connection, nextSteps("CREATE TABLE half (id); INSERT INTO nowhere VALUES (1)")),
    ).toThrow("nowhere");
    expect(schemaOf()).toEqual(schema);
    expect(versionOf()).toBe(newest);
  });

  test("refuses a newer file, and a reader also an older one", () => {
    migrate(connection, nextSteps("CREATE TABLE later (id)"));
    expect(() => migrate(connection)).toThrow(`schema ${newest + 1}`);
    expect(() => assertSchemaIsCurrent(connection)).toThrow(`schema ${newest + 1}`);
    expect(() =>
      assertSchemaIsCurrent(connection, [...nextSteps(""), { version: newest + 2, name: "x", sql: "" }]),
    ).toThrow("older");
  });
});
