import { type AddressBytes, nonCirculatingAccounts } from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import { u64FromColumn, u64ToColumn } from "../columns/u64-column.ts";
import type { Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { bulkDelete, bulkInsert, runBulk } from "./bulk.ts";
import type { HeadDraft } from "./write-head.ts";

/** How many rows the table keeps beyond what an answer may need. */
export interface TopAccountsBounds {
  /** Rows beyond need after the floor has moved. */
  readonly spare: number;
  /** Rows beyond need and spare at which it is raised. */
  readonly slack: number;
}

/** Lamports of an account before and after a write; 0n = it does not exist. */
export interface LamportsMove {
  readonly address: AddressBytes;
  readonly before: bigint;
  readonly after: bigint;
}

export const topAccountColumns = [
  ["lamports", "bigint"],
  ["address", "bytea"],
] as const;
const insertRows = bulkInsert("top_account", topAccountColumns, "ON CONFLICT DO NOTHING");
const deleteRows = bulkDelete("top_account", topAccountColumns);

/**
 * Keeps `top_account`: every account at or above the floor, which is a pair (lamports, address). A table of its own
 * instead of a partial index: raising the floor is a delete at its low end instead of a new index.
 */
export const moveTopAccounts = async (
  session: Session,
  moves: readonly LamportsMove[],
  head: HeadDraft,
): Promise<void> => {
  const gone: Element[][] = [];
  const come: Element[][] = [];
  for (const { address, before, after } of moves) {
    if (before === after) continue;
    if (before > 0n && isAboveFloor(before, address, head)) gone.push([u64ToColumn(before), address]);
    if (after > 0n && isAboveFloor(after, address, head)) come.push([u64ToColumn(after), address]);
  }
  const [removed, added] = await Promise.all([
    runBulk(session, deleteRows, gone),
    runBulk(session, insertRows, come),
  ]);
  head.topAccounts += added - removed;
};

const isAboveFloor = (lamports: bigint, address: AddressBytes, head: HeadDraft): boolean =>
  lamports > head.floorLamports ||
  (lamports === head.floorLamports && compareBytes(address, head.floorAddress) >= 0);

/** At the end of a commit: raises the floor when far too many rows qualify, lowers it when too few do. */
export const settleFloor = async (
  session: Session,
  bounds: TopAccountsBounds,
  head: HeadDraft,
): Promise<void> => {
  const needed = rowsNeeded(head);
  if (head.topAccounts > needed + bounds.spare + bounds.slack) await raise(session, bounds, head);
  else if (head.topAccounts < needed && head.floorLamports > 0n) await lower(session, bounds, head);
};

/** Rows that one answer of twenty may have to look at: what a filter drops, and the answer. */
const rowsNeeded = (head: HeadDraft): number => 20 + nonCirculatingAccounts.length + head.stakeHolds;

const atRank = statement(
  "SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC LIMIT 1 OFFSET $1",
);
const cut = statement("DELETE FROM top_account WHERE (lamports, address) < ($1, $2)");

const raise = async (session: Session, bounds: TopAccountsBounds, head: HeadDraft): Promise<void> => {
  const floor = await session.get(atRank, rowsNeeded(head) + bounds.spare - 1);
  if (floor === undefined) return;
  const [lamports, address] = floor as [bigint, Uint8Array];
  head.floorLamports = u64FromColumn(lamports);
  head.floorAddress = address;
  head.topAccounts -= await session.run(cut, lamports, address);
};

/**
 * The next accounts below the floor. Reads every account once: rare, since it takes the fall of thousands of rich
 * accounts to come here.
 */
const below = statement(`SELECT lamports, address FROM account
WHERE (lamports, address) < ($1, $2) ORDER BY lamports DESC, address DESC LIMIT $3`);

const lower = async (session: Session, bounds: TopAccountsBounds, head: HeadDraft): Promise<void> => {
  const missing = rowsNeeded(head) + bounds.spare - head.topAccounts;
  const rows = (await session.all(below, u64ToColumn(head.floorLamports), head.floorAddress, missing)) as [
    bigint,
    Uint8Array,
  ][];
  head.topAccounts += await runBulk(session, insertRows, rows);
  const last = rows.length < missing ? undefined : rows.at(-1);
  head.floorLamports = last === undefined ? 0n : u64FromColumn(last[0]);
  head.floorAddress = last === undefined ? new Uint8Array(0) : last[1];
};
