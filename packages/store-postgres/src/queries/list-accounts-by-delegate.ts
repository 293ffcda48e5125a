import type { Account, AddressBytes, DelegateQuery } from "@lamplight/core";
import { accountRowColumns } from "../columns/account-row.ts";
import { compareBytes } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { decodeAll } from "./find-account.ts";

const select = `SELECT address, ${accountRowColumns} FROM account WHERE delegate = $1 AND program = $2`;
const ofAnyMint = statement(select);
const ofOneMint = statement(`${select} AND delegate_mint = $3`);

export const listAccountsByDelegate = async (
  session: Session,
  programs: ProgramDictionary,
  { delegate, tokenProgram, mint }: DelegateQuery,
): Promise<readonly Account[]> => {
  const program = await programs.findId(session, tokenProgram);
  if (program === null) return [];
  const rows =
    mint === null
      ? await session.all(ofAnyMint, delegate, program)
      : await session.all(ofOneMint, delegate, program, mint);
  const accounts = await decodeAll(session, programs, rows, (row) => row[0] as AddressBytes, 1);
  return accounts.toSorted((a, b) => compareBytes(a.address, b.address));
};
