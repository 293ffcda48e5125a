import {
  type Account,
  type AddressBytes,
  type DelegateQuery,
  accountPartColumns,
  decodeAccountParts,
} from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Row, Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

/** Address and data come as one value: a value costs the driver more than its bytes. The program is known. */
const select = `SELECT address || data, ${accountPartColumns} FROM account WHERE delegate = $1 AND program = $2`;
const ofAnyMint = statement(select);
const ofOneMint = statement(`${select} AND delegate_mint = $3`);
// By the address itself the server would walk along the key of all accounts until it has met enough of the delegate's.
const page = "address || ''::bytea > $3 ORDER BY address || ''::bytea LIMIT $4";
export const pageOfAnyMint = statement(`${select} AND ${page}`);
export const pageOfOneMint = statement(`${select} AND delegate_mint = $5 AND ${page}`);

const beforeAll = new Uint8Array(0);

export const listAccountsByDelegate = async (
  session: Session,
  programs: ProgramDictionary,
  { delegate, tokenProgram, mint, after = beforeAll, limit }: DelegateQuery,
): Promise<readonly Account[]> => {
  const program = await programs.findId(session, tokenProgram);
  if (program === null) return [];
  const rows =
    limit !== undefined
      ? await (mint === null
          ? session.all(pageOfAnyMint, delegate, program, after, limit)
          : session.all(pageOfOneMint, delegate, program, after, limit, mint))
      : await (mint === null
          ? session.all(ofAnyMint, delegate, program)
          : session.all(ofOneMint, delegate, program, mint));
  // Bytes that stay the same object from list to list.
  await programs.learn(session, [program]);
  const owner = programs.addressOf(program);
  const accounts = rows.map((row) => accountOf(row, owner));
  // Pages come in order.
  return limit === undefined ? accounts.toSorted((a, b) => compareBytes(a.address, b.address)) : accounts;
};

const ADDRESS_BYTES = 32;

const accountOf = (row: Row, owner: AddressBytes): Account => {
  const bytes = row[0] as Uint8Array;
  const address = bytes.subarray(0, ADDRESS_BYTES);
  return decodeAccountParts(address, owner, row, 1, bytes.subarray(ADDRESS_BYTES));
};
