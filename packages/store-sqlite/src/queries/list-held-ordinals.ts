import type { AddressBytes, OwnerCriterion } from "@lamplight/core";
import { ascending, gatherOrdinals, type OrdinalChunk, parseOrdinals } from "./gather-ordinals.ts";
import type { Prepare } from "./prepare-once.ts";
import { heldAssets } from "./search-criteria.ts";

/** Holdings joined to their assets in one statement: some ten milliseconds. A larger holder is read in slices of it. */
export const HOLDINGS_PER_READ = 4096;

/** The first holdings of an owner: how many they are, and the assets among them. */
export const listFewHeldSql = (criterion: OwnerCriterion): string =>
  `WITH holding AS (SELECT * FROM main.holding WHERE token_owner = ? LIMIT ? + 0)
SELECT (SELECT count(*) FROM holding), group_concat(ord), count(*) FROM (SELECT ord FROM ${heldAssets(criterion)})`;

/** The place so many holdings further on, if the holder has that many. */
const placeSql = `SELECT mint, token_account FROM holding
WHERE token_owner = ? AND (mint, token_account) > (?, ?) ORDER BY mint, token_account LIMIT 1 OFFSET ?`;

/** Assets held between two places. */
export const listHeldSql = (criterion: OwnerCriterion): string =>
  `SELECT group_concat(ord), count(*) FROM (SELECT ord FROM ${heldAssets(criterion)}
AND (holding.mint, holding.token_account) > (?, ?) AND (holding.mint, holding.token_account) <= (?, ?))`;

/** Works as `prepareListOrdinals` does, for the assets of many holders that one of them holds. */
export const listHeld = async (
  prepare: Prepare,
  criterion: OwnerCriterion,
  limit: number,
  rowsPerRead: number,
): Promise<Uint32Array | null> => {
  const { owner } = criterion;
  const [holdings, text, count] = prepare(listFewHeldSql(criterion)).get(owner, rowsPerRead + 1, owner)!;
  if (Number(holdings) <= rowsPerRead) {
    const ordinals = ascending(parseOrdinals(text as string | null, Number(count)));
    return ordinals.length > limit ? null : ordinals;
  }
  return gatherOrdinals(readSlices(prepare, criterion, rowsPerRead), limit);
};

const beforeAll = new Uint8Array(0);
const afterAll = new Uint8Array(33).fill(0xff);

const readSlices = (
  prepare: Prepare,
  criterion: OwnerCriterion,
  rowsPerRead: number,
): (() => OrdinalChunk) => {
  const findPlace = prepare(placeSql);
  const list = prepare(listHeldSql(criterion));
  let from: readonly AddressBytes[] = [beforeAll, beforeAll];
  return () => {
    const found = findPlace.get(criterion.owner, ...from, rowsPerRead - 1);
    const to = (found ?? [afterAll, afterAll]) as readonly AddressBytes[];
    const [text, count] = list.get(criterion.owner, ...from, ...to)!;
    from = to;
    return { ordinals: parseOrdinals(text as string | null, Number(count)), isLast: found === undefined };
  };
};
