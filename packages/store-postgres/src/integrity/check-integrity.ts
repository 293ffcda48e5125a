import { accountBits, lastLifeBit, listTables } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { type Statement, statement } from "../engine/statement.ts";
import { readHead } from "../queries/read-head.ts";
import { checkAccountIndexes } from "./check-account-indexes.ts";
import { checkAssetColumns } from "./check-asset-columns.ts";
import { checkIncompleteTrees } from "./check-incomplete-trees.ts";

/**
 * Finds problems of rules between tables, and of indexes derived from account bytes, as sentences. It lists at most
 * `PROBLEMS_MAX` of each kind. It reads the whole store in one snapshot. The server's own tools check its files.
 */
export const checkIntegrity = async (
  session: Session,
  programs: ProgramDictionary,
): Promise<readonly string[]> => {
  await session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return [
      ...(await checkRules(session)),
      ...(await checkDocuments(session)),
      ...(await checkAssetColumns(session)),
      ...(await checkIncompleteTrees(session)),
      ...(await checkAccountIndexes(session, programs)),
    ];
  } catch (error) {
    if (isLamplightError(error, "STORE__CORRUPT")) return [error.message];
    throw error;
  } finally {
    if (session.isUsable) await session.execute("COMMIT");
  }
};

/** Each counts rows that must not exist. */
const rules: readonly { readonly count: Statement; readonly problem: string }[] = [
  {
    count: statement("SELECT count(*) FROM tombstone WHERE address IN (SELECT address FROM account)"),
    problem: "addresses are both living and closed",
  },
  {
    count: statement("SELECT count(*) FROM account WHERE length(address) <> 32"),
    problem: "accounts have an address that is not 32 bytes",
  },
  {
    count:
      statement(`SELECT (SELECT count(*) FROM account WHERE flags & ${lastLifeBit} <> 0 AND address NOT IN (SELECT address FROM last_life))
+ (SELECT count(*) FROM last_life WHERE address NOT IN (SELECT address FROM account WHERE flags & ${lastLifeBit} <> 0)
  AND address NOT IN (SELECT address FROM tombstone WHERE flags & ${lastLifeBit} <> 0))
+ (SELECT count(*) FROM account WHERE flags & ~${accountBits} <> 0)`),
    problem: "accounts have wrong flags, or last lives without them",
  },
  {
    count: statement("SELECT count(*) FROM account WHERE program NOT IN (SELECT id FROM program)"),
    problem: "accounts name a program that is not in the dictionary",
  },
  {
    count: statement("SELECT count(*) FROM asset WHERE id NOT IN (SELECT id FROM asset_document)"),
    problem: "assets have no document",
  },
  {
    count: statement("SELECT count(*) FROM asset_document WHERE id NOT IN (SELECT id FROM asset)"),
    problem: "documents belong to no asset",
  },
  {
    count: statement(
      `SELECT ${listTables.map(({ table }) => `(SELECT count(*) FROM ${table} WHERE id NOT IN (SELECT id FROM asset))`).join(" + ")}`,
    ),
    problem: "creators or groups belong to no asset",
  },
  {
    count: statement(`SELECT count(*) FROM asset WHERE ord >= (SELECT next_ordinal FROM head WHERE id = 1)
OR change_seq > (SELECT change_seq FROM head WHERE id = 1)`),
    problem: "assets lie beyond the counters of the head row",
  },
  {
    count: statement("SELECT count(*) - count(DISTINCT ord) FROM asset"),
    problem: "ordinals are given twice",
  },
  {
    count: statement("SELECT count(*) - count(DISTINCT change_seq) FROM asset"),
    problem: "change numbers are given twice",
  },
  {
    count: statement("SELECT count(*) - count(DISTINCT address) FROM edition"),
    problem: "edition addresses are there twice",
  },
];

const countTop = statement("SELECT count(*) FROM top_account");
const countHolds = statement("SELECT count(*) FROM stake_hold");

const checkRules = async (session: Session): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const { count, problem } of rules) {
    const found = Number((await session.get(count))?.[0]);
    if (found > 0) broken.push(`${found} ${problem}`);
  }
  const head = await readHead(session);
  const counters = [
    { table: "top_account", count: countTop, counted: head.topAccounts },
    { table: "stake_hold", count: countHolds, counted: head.nonCirculatingStakes },
  ];
  for (const { table, count, counted } of counters) {
    const found = Number((await session.get(count))?.[0]);
    if (found !== counted) broken.push(`${table} has ${found} rows and the head row counts ${counted}`);
  }
  return broken;
};

const documentPage = statement(
  "SELECT id, ord, document, extras FROM asset_document WHERE id > $1 ORDER BY id LIMIT $2",
);

const checkDocuments = async (session: Session): Promise<readonly string[]> => {
  const problems: string[] = [];
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(documentPage, after, INTEGRITY_PAGE_ROWS);
    for (const row of rows) {
      const isSound = isJson(row[2] as string) && isJson((row[3] ?? "{}") as string);
      if (!isSound && problems.length < PROBLEMS_MAX)
        problems.push(`the document of asset ${row[1]} is not JSON`);
    }
    if (rows.length < INTEGRITY_PAGE_ROWS) return problems;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
