import { type AddressBytes, nonCirculatingAccounts, u64FromColumn, u64ToColumn } from "@lamplight/core";
import { accountKeyOf, addressOfKey, compareBytes } from "../columns/account-key.ts";
import type { Connection } from "../engine/connection.ts";
import type { HeadDraft } from "./write-head.ts";

/** Rows of the table beyond those that an answer may need. */
export interface TopAccountsBounds {
  /** Rows beyond these after the floor has moved. */
  readonly spare: number;
  /** Rows beyond both at which the floor is raised. */
  readonly slack: number;
}

/** Keeps `top_account`: every account at or above the floor, which is a pair (lamports, address). */
export interface TopAccountsWriter {
  /** Lamports of an account before and after a write; 0n = it does not exist. */
  move(address: AddressBytes, before: bigint, after: bigint, head: HeadDraft): void;
  /** Raises the floor at the end of a commit when far too many rows qualify, and lowers it when too few do. */
  settle(head: HeadDraft): void;
}

/**
 * A table of its own instead of a partial index: its order is the order of the answer (lamports, then address bytes,
 * both tables of accounts in one), and raising the floor is a delete at its low end instead of a rebuild.
 */
export const prepareTopAccountsWriter = (
  connection: Connection,
  bounds: TopAccountsBounds,
): TopAccountsWriter => {
  const insert = connection.prepare("INSERT OR IGNORE INTO top_account (lamports, address) VALUES (?, ?)");
  const remove = connection.prepare("DELETE FROM top_account WHERE lamports = ? AND address = ?");
  const moveFloor = prepareMoveFloor(connection, bounds);
  return {
    move: (address, before, after, head) => {
      if (before === after) return;
      if (before > 0n && isAboveFloor(before, address, head)) {
        head.topAccounts -= remove.run(u64ToColumn(before), address);
      }
      if (after > 0n && isAboveFloor(after, address, head)) {
        head.topAccounts += insert.run(u64ToColumn(after), address);
      }
    },
    settle: moveFloor,
  };
};

const isAboveFloor = (lamports: bigint, address: AddressBytes, head: HeadDraft): boolean =>
  lamports > head.floorLamports ||
  (lamports === head.floorLamports && compareBytes(address, head.floorAddress) >= 0);

/** Rows that an answer of twenty may have to read: those that a filter drops, and the answer. */
const rowsNeeded = (head: HeadDraft): number =>
  20 + nonCirculatingAccounts.length + head.nonCirculatingStakes;

/**
 * The next accounts below the floor, in the order of the answer. Among addresses, a negative prefix sorts above the
 * others. Reads every account once. This is rare, because thousands of large balances must fall first.
 */
const belowFloorSql = `SELECT lamports, id, tail
FROM (SELECT lamports, id, tail FROM account UNION ALL SELECT lamports, id, tail FROM account_collision)
WHERE lamports < ?1 OR (lamports = ?1 AND (id < 0, id, tail) < (?2, ?3, ?4))
ORDER BY lamports DESC, id < 0 DESC, id DESC, tail DESC LIMIT ?5`;

const prepareMoveFloor = (connection: Connection, bounds: TopAccountsBounds): ((head: HeadDraft) => void) => {
  const atRank = connection.prepare(
    "SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC LIMIT 1 OFFSET ?",
  );
  const cut = connection.prepare("DELETE FROM top_account WHERE (lamports, address) < (?, ?)");
  const below = connection.prepare(belowFloorSql);
  const insert = connection.prepare("INSERT OR IGNORE INTO top_account (lamports, address) VALUES (?, ?)");

  const raise = (head: HeadDraft): void => {
    const floor = atRank.get(rowsNeeded(head) + bounds.spare - 1);
    if (floor === undefined) return;
    head.floorLamports = u64FromColumn(floor[0] as bigint);
    head.floorAddress = floor[1] as Uint8Array;
    head.topAccounts -= cut.run(floor[0] as bigint, floor[1] as Uint8Array);
  };

  const lower = (head: HeadDraft): void => {
    const missing = rowsNeeded(head) + bounds.spare - head.topAccounts;
    const floor = accountKeyOf(head.floorAddress);
    const rows = below.all(
      u64ToColumn(head.floorLamports),
      Number(floor.id < 0n),
      floor.id,
      floor.tail,
      missing,
    );
    for (const row of rows) {
      head.floorLamports = u64FromColumn(row[0] as bigint);
      head.floorAddress = addressOfKey(row[1] as bigint, row[2] as Uint8Array);
      head.topAccounts += insert.run(row[0] as bigint, head.floorAddress);
    }
    if (rows.length === missing) return;
    head.floorLamports = 0n;
    head.floorAddress = new Uint8Array(0);
  };

  return (head) => {
    const needed = rowsNeeded(head);
    if (head.topAccounts > needed + bounds.spare + bounds.slack) raise(head);
    else if (head.topAccounts < needed && head.floorLamports > 0n) lower(head);
  };
};
