import { type AddressBytes, nonCirculatingAccounts, u64FromColumn, u64ToColumn } from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import type { Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { TOP_ACCOUNTS_SEARCHES_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";
import { bulkDelete, bulkInsert, runBulk } from "./bulk.ts";
import { FloorSearch, type Place } from "./floor-search.ts";
import type { HeadDraft } from "./write-head.ts";

/** Rows of the table beyond those that an answer may need. */
export interface TopAccountsBounds {
  /** Rows beyond these after the floor has moved. */
  readonly spare: number;
  /** Rows beyond both at which the floor is raised. */
  readonly slack: number;
  /** Accounts per read while the floor is to be lowered. */
  readonly pageRows: number;
  /** A commit reads further pages until so long was spent. */
  readonly refillMs: number;
  /** The clock for that; default the process's own. */
  readonly nowMs?: () => number;
}

/** The state of the table that a writer remembers between commits. */
export interface TopAccountsWriting {
  readonly bounds: TopAccountsBounds;
  /**
   * Null while there are enough rows. The writer drops it when a commit fails, because it contains changes that were
   * rolled back.
   */
  readonly refill: { search: FloorSearch | null };
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
  { refill }: TopAccountsWriting,
  moves: readonly LamportsMove[],
  head: HeadDraft,
): Promise<void> => {
  const gone: Element[][] = [];
  const come: Element[][] = [];
  for (const { address, before, after } of moves) {
    if (before === after) continue;
    refill.search?.note({ address, lamports: after });
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

/** Raises the floor at the end of a commit when far too many rows qualify, and lowers it before too few do. */
export const settleFloor = async (
  session: Session,
  writing: TopAccountsWriting,
  head: HeadDraft,
): Promise<void> => {
  const { bounds, refill } = writing;
  const needed = rowsNeeded(head);
  if (head.topAccounts > needed + bounds.spare + bounds.slack) {
    refill.search = null;
    await raise(session, bounds, head);
  } else if (refill.search !== null || isRunningOut(head, needed + bounds.spare / 2))
    await lower(session, writing, head);
};

/** If there is no floor, the table has every account. */
const isRunningOut = (head: HeadDraft, rows: number): boolean =>
  head.topAccounts < rows && head.floorLamports > 0n;

/** Rows that an answer of twenty may have to read: those that a filter drops, and the answer. */
const rowsNeeded = (head: HeadDraft): number =>
  20 + nonCirculatingAccounts.length + head.nonCirculatingStakes;

const atRank = statement(
  "SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC LIMIT 1 OFFSET $1",
);
const deleteBelow = statement("DELETE FROM top_account WHERE (lamports, address) < ($1, $2)");

const raise = async (session: Session, bounds: TopAccountsBounds, head: HeadDraft): Promise<void> => {
  const floor = await session.get(atRank, rowsNeeded(head) + bounds.spare - 1);
  if (floor === undefined) return;
  const [lamports, address] = floor as [bigint, Uint8Array];
  head.floorLamports = u64FromColumn(lamports);
  head.floorAddress = address;
  head.topAccounts -= await session.run(deleteBelow, lamports, address);
};

const everyAddress = new Uint8Array(33).fill(255);
const lowest: Place = { lamports: 0n, address: new Uint8Array(0) };
const endOfPage = statement(
  "SELECT address FROM account WHERE address > $1 ORDER BY address LIMIT 1 OFFSET $2",
);
const inPage = statement(`SELECT lamports, address FROM account
WHERE address > $1 AND address <= $2 AND (lamports, address) > ($3, $4) AND (lamports, address) < ($5, $6)`);

/**
 * The next accounts below the floor are found by reading every account once, possibly hundreds of millions. Each
 * commit reads some pages, and this starts long before the rows are needed. Balances that were found may fall before
 * all were read.
 */
const lower = async (session: Session, writing: TopAccountsWriting, head: HeadDraft): Promise<void> => {
  let searches = 0;
  do {
    const search = await searchOn(session, writing, head);
    if (!search.isDone) return;
    writing.refill.search = null;
    await lowerTo(session, search, head);
    searches += 1;
  } while (isRunningOut(head, rowsNeeded(head)) && searches < TOP_ACCOUNTS_SEARCHES_MAX);
};

/** Reads at least one page. If there are already too few rows, reads all remaining ones. */
const searchOn = async (
  session: Session,
  { bounds, refill }: TopAccountsWriting,
  head: HeadDraft,
): Promise<FloorSearch> => {
  const { spare, pageRows, refillMs, nowMs = () => performance.now() } = bounds;
  const missing = rowsNeeded(head) + spare - head.topAccounts;
  const floor = { lamports: head.floorLamports, address: head.floorAddress };
  const search = (refill.search ??= new FloorSearch(floor, missing + spare));
  const untilMs = nowMs() + refillMs;
  do await readPage(session, search, pageRows);
  while (!search.isDone && (isRunningOut(head, rowsNeeded(head)) || nowMs() < untilMs));
  return search;
};

const lowerTo = async (
  session: Session,
  { floor, found, cut }: FloorSearch,
  head: HeadDraft,
): Promise<void> => {
  const rows = found.map(({ lamports, address }) => [u64ToColumn(lamports), address]);
  head.topAccounts += await runBulk(session, insertRows, rows);
  const last = cut === null ? lowest : (found.at(-1) ?? floor);
  head.floorLamports = last.lamports;
  head.floorAddress = last.address;
};

const readPage = async (session: Session, search: FloorSearch, pageRows: number): Promise<void> => {
  const { through, floor, cut } = search;
  const end = ((await session.get(endOfPage, through, pageRows - 1))?.[0] ?? null) as AddressBytes | null;
  const [above, below] = [cut ?? lowest, floor].map(
    (one) => [u64ToColumn(one.lamports), one.address] as const,
  );
  const rows = await session.all(inPage, through, end ?? everyAddress, ...above!, ...below!);
  const places = rows.map(([lamports, address]) => ({
    lamports: u64FromColumn(lamports as bigint),
    address: address as AddressBytes,
  }));
  search.take(places, end);
};
