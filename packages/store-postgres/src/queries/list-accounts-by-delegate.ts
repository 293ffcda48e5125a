import { type Account, type AddressBytes, type DelegateQuery, accountRowColumns } from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { decodeAll } from "./find-account.ts";

const select = `SELECT address, ${accountRowColumns} FROM account WHERE delegate = $1 AND program = $2`;
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
  const accounts = await decodeAll(session, programs, rows, (row) => row[0] as AddressBytes, 1);
  // Pages come in order.
  return limit === undefined ? accounts.toSorted((a, b) => compareBytes(a.address, b.address)) : accounts;
};
