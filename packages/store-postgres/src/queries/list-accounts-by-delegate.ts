import {
  type Account,
  type AddressBytes,
  type DelegateQuery,
  accountPartColumns,
  decodeAccountParts,
  LISTED_TOGETHER_BYTES_MAX,
} from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { withLarge } from "./find-account.ts";
import { LARGE } from "./gathered.ts";

/** Large data is left out, and read by itself. The program is known. */
const select = `SELECT address, CASE WHEN octet_length(data) <= ${LISTED_TOGETHER_BYTES_MAX} THEN data END,
${accountPartColumns} FROM account`;
const ofDelegate = `${select} WHERE delegate = $1 AND program = $2`;
const ofDelegateAndMint = `${select} WHERE delegate || delegate_mint = $1 AND program = $2`;
const ofAnyMint = statement(ofDelegate);
const ofOneMint = statement(ofDelegateAndMint);
// The order is by the expressions of the indexes, so that nothing is sorted.
const page = "address || ''::bytea > $3 ORDER BY address || ''::bytea LIMIT $4";
export const pageOfAnyMint = statement(`${ofDelegate} AND ${page}`);
export const pageOfOneMint = statement(`${ofDelegateAndMint} AND ${page}`);

const beforeAll = new Uint8Array(0);

export const listAccountsByDelegate = async (
  db: Statements,
  programs: ProgramDictionary,
  { delegate, tokenProgram, mint, after = beforeAll, limit }: DelegateQuery,
): Promise<readonly Account[]> => {
  const program = await programs.findId(db, tokenProgram);
  if (program === null) return [];
  const key = mint === null ? delegate : Buffer.concat([delegate, mint]);
  const rows =
    limit === undefined
      ? await db.views(mint === null ? ofAnyMint : ofOneMint, key, program)
      : await db.views(mint === null ? pageOfAnyMint : pageOfOneMint, key, program, after, limit);
  // Bytes that stay the same object from list to list.
  await programs.learn(db, [program]);
  const owner = programs.addressOf(program);
  const addresses = rows.map((row) => row[0] as AddressBytes);
  const accounts = await withLarge(
    db,
    programs,
    addresses,
    rows.map((row) => accountOf(row, owner)),
  );
  // Pages come in order.
  return limit === undefined ? accounts.toSorted((a, b) => compareBytes(a.address, b.address)) : accounts;
};

/** `LARGE` where its data was left out. */
const accountOf = (row: Row, owner: AddressBytes): Account | typeof LARGE =>
  row[1] === null ? LARGE : decodeAccountParts(row[0] as AddressBytes, owner, row, 2, row[1] as Uint8Array);
