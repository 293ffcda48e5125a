import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countSql, type Criterion, matchSql, pageSql, placeSql } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { registeredStatements, type Statement } from "../engine/statement.ts";
// Reading the two entries registers every named statement.
import { openPostgresStore } from "../open-postgres-store.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import { accountStatements } from "../queries/find-account.ts";
import { assetStatements } from "../queries/find-asset.ts";
import { leafPathStatements } from "../queries/find-leaf-path.ts";
import { editionPageStatements } from "../queries/find-edition-page.ts";
import { tokenAccountStatements } from "../queries/find-token-accounts.ts";
import { delegatedStatements } from "../queries/read-delegated-with-head.ts";
import { snapshotHeadSql } from "../queries/read-head.ts";
import { ledgerStatements } from "../queries/read-ledger-with-head.ts";
import { assetsStatements } from "../queries/find-assets.ts";
import { listOrdinalsSql } from "../queries/list-ordinals.ts";
import { criterionSql } from "../queries/search-criteria.ts";
import { distribution } from "./distribution.ts";
import { migrations } from "./migrate.ts";

const address = new Uint8Array(32);
const criteria: readonly Criterion[] = [
  { kind: "interface", value: "V1_NFT" },
  ...([null, "single", "token"] as const).flatMap((ownerModel) =>
    [true, false].map((includeZero): Criterion => ({
      kind: "owner",
      owner: address,
      ownerModel,
      includeZero,
    })),
  ),
  { kind: "ownerModel", value: "token" },
  ...([null, true, false] as const).map((verified): Criterion => ({
    kind: "creator",
    creator: address,
    verified,
  })),
  { kind: "creatorVerified", verified: true },
  { kind: "authority", value: address },
  ...[true, false].map((includeUnverified): Criterion => ({
    kind: "group",
    key: "k",
    value: "v",
    includeUnverified,
  })),
  { kind: "delegate", value: address },
  { kind: "supply", value: 1n },
  { kind: "supply", value: -1n },
  { kind: "supplyMint", value: address },
  { kind: "royaltyModel", value: "fanout" },
  { kind: "royaltyTarget", target: address },
  { kind: "basisPoints", value: 1 },
  { kind: "burnt", value: true },
  { kind: "jsonUri", value: "x" },
  ...(["fungible", "nonFungible", "regularNft", "compressedNft", "all"] as const).map(
    (tokenType): Criterion => ({ kind: "tokenType", tokenType }),
  ),
  { kind: "name", name: "x" },
  { kind: "tree", value: address },
  { kind: "nothing" },
];

/** Every statement there is: the named ones, and those made for a request, in each of their forms. */
const everyStatement = (): readonly string[] => [
  snapshotHeadSql,
  ...registeredStatements().map(({ text }) => text),
  ...criteria.map(listOrdinalsSql),
  ...(["id", "created", "updated", "none"] as const).flatMap((sort) => {
    const matches = matchSql({ match: "any", negate: true }, criteria.map(criterionSql));
    return [
      pageSql(sort, matches, { direction: "asc", from: 0, limit: 2 }).sql,
      countSql(matches).sql,
      placeSql(sort),
    ];
  }),
];

/** Files that send what is not named: what they say, and why it may be said. */
const sentOtherwise: Readonly<Record<string, string>> = {
  "drop-postgres-store.ts": "drops the schema",
  "engine/copy-session.ts":
    "copies rows of one table in; tells its settings, asks for its own number, takes a lock, ends who else holds it",
  "engine/choose-server.ts": "asks for the role of a server",
  "engine/in-transaction.ts": "begins and ends a transaction",
  "engine/keeps-session.ts": "asks for the session's own number, in and out of a transaction",
  "engine/session.ts":
    "is how statements are sent; tells its settings, asks for its own number, begins and ends transactions of readers",
  "engine/row-messages.ts": "sends the messages of a statement",
  "engine/session-watch.ts": "asks whether the server is at work for a session",
  "writes/writer-session.ts":
    "begins and ends transactions, takes the lock, moves the epoch in the head and notes it, ends its own lost session",
  "keys/key-tables.ts": "makes the tables of API keys, in a schema of their own",
  "integrity/check-integrity.ts": "begins and ends a transaction",
  "offchain/documents-lock.ts": "takes the lock of the store's writer while it migrates",
  "queries/search-assets.ts": "searches with the texts above",
  "reader/watched-server.ts": "reads the role of a server and the slot of the head",
  "schema/assert-one-database.ts": "reads the catalog for distributed tables",
  "schema/assert-whole-store.ts": "reads the catalog for tables of shards",
  "schema/plan-migration.ts": "reads the catalogue",
  "schema/migrate.ts": "makes and alters tables; reads the catalogue and the schema's version",
  "bulk/deferred-indexes.ts": "drops indexes and keys of empty tables and makes them again",
  "bulk/load-place.ts":
    "empties tables, writes head and meta of a store nobody reads yet, gathers statistics",
  "shards/coordinator-store.ts": "sets a transaction durable, of a plain database",
  "shards/delta-tables.ts": "makes tables of a plain database; reads the catalogue",
  "schema/placed-schema.ts": "reads the catalog of Citus, and distributes the schema of a shard",
  "shards/own-tables.ts":
    "reads the catalog of Citus, sets what a session may write there, and makes temporary views",
  "shards/shard-node.ts": "reads the catalog of Citus",
  "shards/shard-place.ts": "makes a table of a plain database",
  "shards/shard-session.ts": "begins and ends a transaction of a plain database",
  "shards/shard-writer.ts": "begins and ends a transaction of a plain database",
};

/** Sent only where the store lies in one database. */
const ofOneDatabase: ReadonlySet<string> = new Set(
  [
    accountStatements,
    assetStatements,
    ledgerStatements,
    leafPathStatements,
    delegatedStatements,
    tokenAccountStatements,
    editionPageStatements,
    assetsStatements,
  ]
    .flatMap((statements): readonly Statement[] => Object.values(statements))
    .map(({ text }) => text),
);

/** Names of parts of the same statement, which are no tables. */
const partsOfStatements: ReadonlySet<string> = new Set(
  "counted few first meeting mint own parent ranked size".split(" "),
);

const tablesIn = (sql: string): readonly string[] => [
  ...new Set(
    [...sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b/gu)].map((match) => match[1] as string),
  ),
];

const distributedIn = (sql: string): readonly string[] =>
  tablesIn(sql).filter((table) => typeof distribution[table] === "object");

const columnOf = (table: string): string | null => {
  const rule = distribution[table];
  return typeof rule === "object" ? rule.by : null;
};

const schema = migrations.map(({ sql }) => sql).join("\n");

describe("the schema", () => {
  test("places every table", () => {
    const tables = [...schema.matchAll(/CREATE TABLE (\w+)/gu)].map((match) => match[1] as string);
    expect(tables.toSorted()).toEqual(Object.keys(distribution).toSorted());
  });

  test("has nothing unique that does not contain the column its table lies by", () => {
    for (const [, table, body] of schema.matchAll(/CREATE TABLE (\w+) \(([^;]*)\)[^)]*;/gu)) {
      const by = columnOf(table as string);
      if (by === null) continue;
      const key =
        /PRIMARY KEY \(([^)]*)\)/u.exec(body as string)?.[1] ??
        /(\w+) \w+ PRIMARY KEY/u.exec(body as string)?.[1];
      expect([table, key?.split(/,\s*/u)]).toEqual([table, expect.arrayContaining([by])]);
      expect(body).not.toMatch(/\bUNIQUE\b/u);
    }
    expect(schema).not.toMatch(
      /UNIQUE INDEX|CREATE TRIGGER|GENERATED|SERIAL|SEQUENCE|REFERENCES|USING (?:gist|gin)/iu,
    );
  });
});

describe("statements", () => {
  const statements = everyStatement();

  test("are all here", () => {
    expect([openPostgresStore, openPostgresReader]).not.toContain(undefined);
    expect(statements.length).toBeGreaterThan(100);
    for (const sql of statements)
      for (const table of tablesIn(sql).filter((name) => name !== "unnest")) {
        if (partsOfStatements.has(table)) continue;
        expect(distribution, `${table} in ${sql}`).toHaveProperty(table);
      }
  });

  test("are all there is: what is sent otherwise is sent from here only, and for these reasons", () => {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    const sending = /(?:passing|catalog)Statement\(|\.execute\(|[cC]lient\.query\(/u;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|testing\//u.test(file))
      .filter((file) => sending.test(readFileSync(join(folder, file), "utf8")))
      .map((file) => file.replaceAll("\\", "/"));
    expect(files.toSorted()).toEqual(Object.keys(sentOtherwise).toSorted());
  });

  // No next set is made over several databases.
  const ofSeveral = statements.filter((sql) => !ofOneDatabase.has(sql) && !sql.includes("asset_next"));
  test.each(ofSeveral)("%s", (sql) => {
    expect(sql).not.toMatch(
      /\bMERGE\b|FOR UPDATE|FOR SHARE|LOCK TABLE|\bLISTEN\b|\bNOTIFY\b|\bRECURSIVE\b|nextval|\bJOIN\b|\bUSING\b/iu,
    );
    // A subquery that names the outer row would be correlated.
    for (const [, inner] of sql.matchAll(/IN \((SELECT [^()]*(?:\([^()]*\)[^()]*)*)\)/gu)) {
      expect(inner).not.toMatch(/\basset\./u);
    }
    const upsert = /INSERT INTO (\w+)[^]*ON CONFLICT \(([^)]*)\) DO UPDATE SET ([^]*)/u.exec(sql);
    if (upsert !== null) {
      const by = columnOf(upsert[1] as string);
      if (by !== null) {
        expect(upsert[2]?.split(/,\s*/u)).toContain(by);
        expect(upsert[3]).not.toMatch(new RegExp(`(?:^|, )${by} = `, "u"));
      }
    }
    const update = /^UPDATE (\w+) SET ([^]*)/u.exec(sql);
    if (update === null) return;
    const [, table = "", changed] = update;
    const by = columnOf(table);
    // Each node changes its own rows, by what is in them.
    if (by !== null) expect(tablesIn(sql)).toEqual([table]);
    if (by !== null) expect(changed).not.toMatch(new RegExp(`(?:^|, )${by} = `, "u"));
  });

  test("reach across tables that lie apart only where named here, by sets that depend on no row", () => {
    const across = statements
      .filter((sql) => !ofOneDatabase.has(sql))
      .map((sql) => ({ sql, keys: new Set(distributedIn(sql).map(columnOf)) }))
      .filter(({ keys }) => keys.size > 1)
      .map(({ sql }) => distributedIn(sql).toSorted().join(" "));
    // A search in SQL over every criterion at once, and assets by holding.
    expect([...new Set(across)].toSorted()).toEqual([
      "asset asset_creator asset_group holding",
      "asset holding",
    ]);
  });
});
