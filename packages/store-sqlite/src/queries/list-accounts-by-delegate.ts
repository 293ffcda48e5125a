import type { Account, DelegateQuery } from "@lamplight/core";
import { addressOfKey, compareBytes } from "../columns/account-key.ts";
import { accountRowColumns, decodeAccountRow, type ProgramOf } from "../columns/account-row.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Row } from "../engine/connection.ts";

/** Within one index key the rows already come in the order of their ids, so nothing is sorted. */
export const accountsByDelegateSql = (mint: "any" | "given"): string =>
  `SELECT id, tail, ${accountRowColumns} FROM account
WHERE delegate = ?1 AND program = ?2${mint === "given" ? " AND delegate_mint = ?3" : ""} ORDER BY id`;

export const collisionsByDelegateSql = `SELECT id, tail, ${accountRowColumns} FROM account_collision
WHERE delegate = ?1 AND program = ?2 AND (?3 IS NULL OR delegate_mint = ?3)`;

export const prepareListAccountsByDelegate = (
  connection: Connection,
  programs: ProgramDictionary,
): ((query: DelegateQuery) => readonly Account[]) => {
  const ofAny = connection.prepare(accountsByDelegateSql("any"));
  const ofMint = connection.prepare(accountsByDelegateSql("given"));
  const collisions = connection.prepare(collisionsByDelegateSql);
  return (query) => {
    const program = programs.findId(query.tokenProgram);
    if (program === null) return [];
    const rows =
      query.mint === null
        ? ofAny.all(query.delegate, program)
        : ofMint.all(query.delegate, program, query.mint);
    const colliding = collisions.all(query.delegate, program, query.mint);
    const accounts = inAddressOrder(rows).map((row) => accountOf(row, programs.addressOf));
    if (colliding.length === 0) return accounts;
    return [...accounts, ...colliding.map((row) => accountOf(row, programs.addressOf))].toSorted((a, b) =>
      compareBytes(a.address, b.address),
    );
  };
};

/** Row ids are signed prefixes: ascending by address bytes is first the ids from 0 on, then the negative ones. */
const inAddressOrder = (rows: readonly Row[]): readonly Row[] => {
  const first = rows.findIndex((row) => (row[0] as bigint) >= 0n);
  return first <= 0 ? rows : [...rows.slice(first), ...rows.slice(0, first)];
};

const accountOf = (row: Row, programOf: ProgramOf): Account =>
  decodeAccountRow(addressOfKey(row[0] as bigint, row[1] as Uint8Array), row, 2, programOf);
