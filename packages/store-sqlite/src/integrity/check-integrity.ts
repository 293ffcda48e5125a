import { listTables } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import { PROBLEMS_MAX } from "../engine/settings.ts";
import { prepareReadHead } from "../queries/read-head.ts";
import { checkAccountIndexes } from "./check-account-indexes.ts";
import { checkAssetColumns } from "./check-asset-columns.ts";
import { checkIncompleteTrees } from "./check-incomplete-trees.ts";

/**
 * Finds problems of the file, of rules between tables, and of indexes derived from account bytes, as sentences. It
 * lists at most `PROBLEMS_MAX` of each kind. It reads the whole store in one snapshot.
 */
export const checkIntegrity = (connection: Connection, programs: ProgramDictionary): readonly string[] =>
  connection.read(() => {
    const problems = checkFile(connection);
    // In a damaged file, further checks fail or give wrong results.
    if (problems.length > 0) return problems;
    try {
      return [
        ...checkRules(connection),
        ...checkAssetColumns(connection),
        ...checkIncompleteTrees(connection),
        ...checkAccountIndexes(connection, programs),
      ];
    } catch (error) {
      if (isLamplightError(error, "STORE__CORRUPT")) return [error.message];
      throw error;
    }
  });

const checkFile = (connection: Connection): readonly string[] => {
  try {
    return connection
      .prepare(`PRAGMA integrity_check(${PROBLEMS_MAX})`)
      .all()
      .map((row) => String(row[0]))
      .filter((text) => text !== "ok");
  } catch (error) {
    if (isLamplightError(error, "STORE__CORRUPT")) return [error.message];
    throw error;
  }
};

/** Each counts rows that must not exist. */
const ruleQueries: readonly { readonly sql: string; readonly problem: string }[] = [
  {
    sql: `SELECT count(*) FROM account_collision AS c LEFT JOIN account AS a ON a.id = c.id
WHERE a.id IS NULL OR a.tail = c.tail`,
    problem: "rows of account_collision have no other address with their prefix in account",
  },
  {
    sql: `SELECT count(*) FROM tombstone AS t WHERE EXISTS (SELECT 1 FROM account AS a WHERE a.id = t.id AND a.tail = t.tail)
OR EXISTS (SELECT 1 FROM account_collision AS c WHERE c.id = t.id AND c.tail = t.tail)`,
    problem: "addresses are both living and closed",
  },
  {
    sql: `SELECT (SELECT count(*) FROM account WHERE length(tail) <> 24)
+ (SELECT count(*) FROM account_collision WHERE length(tail) <> 24)`,
    problem: "accounts have an address that is not 32 bytes",
  },
  {
    sql: "SELECT count(*) FROM asset LEFT JOIN asset_document USING (ord) WHERE asset_document.ord IS NULL",
    problem: "assets have no document",
  },
  {
    sql: "SELECT count(*) FROM asset_document LEFT JOIN asset USING (ord) WHERE asset.ord IS NULL",
    problem: "documents belong to no asset",
  },
  {
    sql: "SELECT count(*) FROM asset_document WHERE NOT json_valid(document) OR NOT json_valid(ifnull(extras, '{}'))",
    problem: "documents are not JSON",
  },
  {
    sql: `SELECT ${listTables.map(({ table }) => `(SELECT count(*) FROM ${table} WHERE ord NOT IN (SELECT ord FROM asset))`).join(" + ")}`,
    problem: "creators or groups belong to no asset",
  },
  {
    sql: "SELECT count(*) FROM asset, head WHERE asset.ord >= head.next_ordinal OR asset.change_seq > head.change_seq",
    problem: "assets lie beyond the counters of the head row",
  },
];

const checkRules = (connection: Connection): readonly string[] => {
  const broken = ruleQueries
    .map(({ sql, problem }) => ({ count: connection.readNumber(sql), problem }))
    .filter(({ count }) => count > 0)
    .map(({ count, problem }) => `${count} ${problem}`);
  const head = prepareReadHead(connection)();
  const counters = [
    { table: "top_account", counted: head.topAccounts },
    { table: "stake_hold", counted: head.nonCirculatingStakes },
  ];
  for (const { table, counted } of counters) {
    const found = connection.readNumber(`SELECT count(*) FROM ${table}`);
    if (found !== counted) broken.push(`${table} has ${found} rows and the head row counts ${counted}`);
  }
  return broken;
};
