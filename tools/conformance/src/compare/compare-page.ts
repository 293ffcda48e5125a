import { isMembers, listOf, membersOf, type Members } from "../read-json.ts";
import { compareAnswer, type Leniency } from "./compare-asset.ts";
import { exactNumber, shown } from "./exact-value.ts";

/** The parts of a request that shape a page. */
export interface PageRequest {
  /** Null when the call left it to the service: the peers' default is not ours. */
  readonly limit: number | null;
  /** Null when the call had none. */
  readonly page: number | null;
  /** Whether the call had a `before`, `after` or `cursor`: then no page number, and any number of items precede. */
  readonly isSeek: boolean;
}

/** Whether a recorded answer is one page of a list. */
export const isPage = (expected: unknown): expected is Members =>
  isMembers(expected) && (Array.isArray(expected["items"]) || Array.isArray(expected["editions"]));

/**
 * Compares one page of a list. Everything is compared as in single answers, with three exceptions, where the peers and
 * we differ by decision: `total` is exact here and the page's length there (11), default `limit` (18), `page`,
 * which we answer exactly where the call pages by number (18), and `cursor`, which every answer with a next page has (18).
 */
export const comparePage = (
  actual: unknown,
  expected: Members,
  request: PageRequest,
  leniency: Leniency,
): readonly string[] => {
  if (!isMembers(actual)) return [`expected a page, got ${shown(actual)}`];
  const { total: _peerTotal, limit: peerLimit, page: _peerPage, cursor: _peerCursor, ...rest } = expected;
  const { total, limit, page, cursor, ...ours } = actual;
  const differences = [
    ...compareAnswer(ours, rest, leniency),
    ...totalDifferences(actual, request, total),
    ...cursorDifferences(actual, request, cursor),
  ];
  if (request.limit !== null) differences.push(...compareAnswer(limit, peerLimit, leniency, "/limit"));
  else if (exactNumber(limit) !== 100n)
    differences.push(`/limit: expected our default 100, got ${shown(limit)}`);
  const pageExpected = request.isSeek ? undefined : BigInt(request.page ?? 1);
  return [...differences, ...compareAnswer(page, pageExpected, leniency, "/page")];
};

/** The exact total must agree with the page's items; after a `before`, `after` or `cursor` it only bounds them. */
const totalDifferences = (actual: Members, request: PageRequest, total: unknown): readonly string[] => {
  const shownItems = listOf(actual["items"] ?? actual["editions"]).length;
  const limit = Number(exactNumber(actual["limit"]) ?? request.limit ?? 100);
  if (request.isSeek) {
    return Number(exactNumber(total) ?? Number.NaN) >= shownItems
      ? []
      : [`/total: ${shown(total)} is less than ${shownItems} items`];
  }
  const before = ((request.page ?? 1) - 1) * limit;
  const count = Number(exactNumber(total) ?? Number.NaN);
  const fits =
    shownItems === 0
      ? count <= before
      : shownItems < limit
        ? count === before + shownItems
        : count >= before + limit;
  return fits ? [] : [`/total: ${shown(total)} does not fit ${shownItems} items behind ${before}`];
};

/** After a `before`, `after` or `cursor` the answer does not show its place, and only an empty page has no next one. */
const cursorDifferences = (actual: Members, request: PageRequest, cursor: unknown): readonly string[] => {
  if (cursor !== undefined && typeof cursor !== "string")
    return [`/cursor: expected text, got ${shown(cursor)}`];
  const shownItems = listOf(actual["items"] ?? actual["editions"]).length;
  const limit = Number(exactNumber(actual["limit"]) ?? request.limit ?? 100);
  const end = ((request.page ?? 1) - 1) * limit + shownItems;
  const hasNext = shownItems > 0 && end < Number(exactNumber(actual["total"]) ?? Number.NaN);
  if (cursor !== undefined && (request.isSeek ? shownItems === 0 : !hasNext))
    return ["/cursor: expected nothing where no page follows"];
  return cursor === undefined && hasNext && !request.isSeek ? ["/cursor: expected one, got nothing"] : [];
};

/**
 * The same page with fungibles left out: a search shows them, where the peers hide what the owner only
 * holds an amount of. `total` then counts what is left.
 */
export const withoutFungibles = (page: unknown): unknown => {
  if (!isMembers(page)) return page;
  const items = listOf(page["items"]);
  const kept = items.filter((item) => membersOf(membersOf(item)["ownership"])["ownership_model"] !== "token");
  const total = Number(exactNumber(page["total"]) ?? 0) - (items.length - kept.length);
  return { ...page, items: kept, total };
};
