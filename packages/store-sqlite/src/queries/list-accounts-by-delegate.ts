import {
  type Account,
  type AddressBytes,
  type DelegateQuery,
  accountPartColumns,
  decodeAccountParts,
  LISTED_TOGETHER_BYTES_MAX,
  ListedData,
} from "@lamplight/core";
import { addressOfKey, compareBytes, prefixOf } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Row } from "../engine/connection.ts";

/**
 * Tail and data come as one blob: a value costs the engine's binding more than its bytes. Large data is left out, and read
 * by itself. The program is known.
 */
const listedColumns = `id, ${accountPartColumns},
CAST(CASE WHEN length(data) <= ${LISTED_TOGETHER_BYTES_MAX} THEN tail || data ELSE tail END AS BLOB)`;
const blobAt = 1 + accountPartColumns.split(", ").length;

/**
 * Rows of two ranges of ids, the first before the second. Within one index key they already come in the order of their
 * ids, so nothing is sorted. A bare `LIMIT ?` would make the engine plan the statement again for every value bound to it:
 * 4 µs, twice what the statement takes.
 */
export const accountsByDelegateSql = (mint: "any" | "given"): string =>
  `${rangeSql(mint, 3)} UNION ALL ${rangeSql(mint, 5)} LIMIT ?7 + 0`;

const rangeSql = (mint: "any" | "given", from: number): string =>
  `SELECT * FROM (SELECT ${listedColumns} FROM account
WHERE delegate = ?1 AND program = ?2${mint === "given" ? " AND delegate_mint = ?8" : ""}
AND id BETWEEN ?${from} AND ?${from + 1} ORDER BY id)`;

export const collisionsByDelegateSql = `SELECT ${listedColumns} FROM account_collision
WHERE delegate = ?1 AND program = ?2 AND (?3 IS NULL OR delegate_mint = ?3)`;

/** This number means no limit to the engine. */
const UNLIMITED = -1;

export const prepareListAccountsByDelegate = (
  connection: Connection,
  programs: ProgramDictionary,
  findAccount: (address: AddressBytes) => Account | null,
): ((query: DelegateQuery) => readonly Account[]) => {
  const readRows = prepareReadRows(connection);
  const collisions = connection.prepare(collisionsByDelegateSql);
  return (query) => {
    const { delegate, mint, after = null, limit = null } = query;
    const program = programs.findId(query.tokenProgram);
    if (program === null) return [];
    const rows = readRows(query, program);
    // The dictionary's own bytes: they stay the same object from list to list.
    const owner = programs.addressOf(program);
    const listed = new ListedData();
    const accountIn = (row: Row): Account =>
      listed.take(accountOf(row, owner) ?? findAccount(addressIn(row))!);
    const accounts = rows.map(accountIn);
    const colliding = collisions.all(delegate, program, mint).map(accountIn);
    if (colliding.length === 0 && after === null && limit === null) return accounts;
    // One row more than the page, if there is one: it belongs to the next page.
    const last = limit !== null && rows.length > limit ? accounts.at(-1)!.address : null;
    const within = colliding.filter(({ address }) => last === null || compareBytes(address, last) < 0);
    const merged =
      within.length === 0
        ? accounts
        : [...accounts, ...within].toSorted((a, b) => compareBytes(a.address, b.address));
    const from = after === null ? 0 : merged.findIndex(({ address }) => compareBytes(address, after) > 0);
    return from < 0 ? [] : merged.slice(from, limit === null ? undefined : from + limit);
  };
};

/**
 * Rows from `after` on, in the order of their addresses. Reads two rows more than the limit: `after` itself, and one
 * that shows whether more follow.
 */
const prepareReadRows = (
  connection: Connection,
): ((query: DelegateQuery, program: bigint) => readonly Row[]) => {
  const ofAny = connection.prepare(accountsByDelegateSql("any"));
  const ofMint = connection.prepare(accountsByDelegateSql("given"));
  return ({ delegate, mint, after = null, limit = null }, program) => {
    const rowsMax = limit === null ? UNLIMITED : limit + 2;
    const [[from, to], [thenFrom, thenTo]] = idRanges(after);
    return mint === null
      ? ofAny.all(delegate, program, from, to, thenFrom, thenTo, rowsMax)
      : ofMint.all(delegate, program, from, to, thenFrom, thenTo, rowsMax, mint);
  };
};

type IdRange = readonly [from: bigint, to: bigint];

const ID_MAX = 2n ** 63n - 1n;
const negativeIds: IdRange = [-(2n ** 63n), -1n];
const noIds: IdRange = [0n, -1n];

/** Ids of the addresses from `after` on. Ids are signed: by address bytes, those from 0 on come before the negative ones. */
const idRanges = (after: AddressBytes | null): readonly [IdRange, IdRange] => {
  const from = after === null ? 0n : prefixOf(after);
  return from < 0n ? [[from, -1n], noIds] : [[from, ID_MAX], negativeIds];
};

const TAIL_BYTES = 24;

const addressIn = (row: Row): AddressBytes => {
  const { buffer, byteOffset } = row[blobAt] as Uint8Array;
  return addressOfKey(row[0] as bigint, new Uint8Array(buffer, byteOffset, TAIL_BYTES));
};

/** Null where its data was left out. */
const accountOf = (row: Row, owner: AddressBytes): Account | null => {
  const { buffer, byteOffset, length } = row[blobAt] as Uint8Array;
  if (length === TAIL_BYTES) return null;
  const stored = new Uint8Array(buffer, byteOffset + TAIL_BYTES, length - TAIL_BYTES);
  return decodeAccountParts(addressIn(row), owner, row, 1, stored);
};
