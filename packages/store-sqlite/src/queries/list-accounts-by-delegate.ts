import type { Account, DelegateQuery } from "@lamplight/core";
import { addressOfKey, compareBytes } from "../columns/account-key.ts";
import { accountRowColumns, decodeAccountRow, type ProgramOf } from "../columns/account-row.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Row, Statement } from "../engine/connection.ts";

type Half = "lower" | "upper";

/**
 * Row ids are signed prefixes: ascending by address bytes is first the ids from 0 on, then the negative ones, each
 * ascending. Within one index key the rows already come in that order, so nothing is sorted.
 */
export const accountsByDelegateSql = (mint: "any" | "given", half: Half): string =>
  `SELECT id, tail, ${accountRowColumns} FROM account
WHERE delegate = ?1 AND program = ?2${mint === "given" ? " AND delegate_mint = ?3" : ""} AND id ${half === "lower" ? ">=" : "<"} 0
ORDER BY id`;

export const collisionsByDelegateSql = `SELECT id, tail, ${accountRowColumns} FROM account_collision
WHERE delegate = ?1 AND program = ?2 AND (?3 IS NULL OR delegate_mint = ?3)`;

export const prepareListAccountsByDelegate = (
  connection: Connection,
  programs: ProgramDictionary,
): ((query: DelegateQuery) => readonly Account[]) => {
  const ofAny = halves(connection, "any");
  const ofMint = halves(connection, "given");
  const collisions = connection.prepare(collisionsByDelegateSql);
  return (query) => {
    const program = programs.findId(query.tokenProgram);
    if (program === null) return [];
    const rows =
      query.mint === null
        ? ofAny.flatMap((half) => half.all(query.delegate, program))
        : ofMint.flatMap((half) => half.all(query.delegate, program, query.mint));
    const colliding = collisions.all(query.delegate, program, query.mint);
    const accounts = rows.map((row) => accountOf(row, programs.addressOf));
    if (colliding.length === 0) return accounts;
    return [...accounts, ...colliding.map((row) => accountOf(row, programs.addressOf))].toSorted((a, b) =>
      compareBytes(a.address, b.address),
    );
  };
};

const halves = (connection: Connection, mint: "any" | "given"): readonly Statement[] => [
  connection.prepare(accountsByDelegateSql(mint, "lower")),
  connection.prepare(accountsByDelegateSql(mint, "upper")),
];

const accountOf = (row: Row, programOf: ProgramOf): Account =>
  decodeAccountRow(addressOfKey(row[0] as bigint, row[1] as Uint8Array), row, 2, programOf);
