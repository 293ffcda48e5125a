import { LamplightError } from "@lamplight/errors";

/** Pages of assets and of editions have the same bounds. */
const LIMIT_MAX = 1000;
const LIMIT_DEFAULT = 100;
/** The rows before it are counted without passing 2^53. */
const PAGE_MAX = Math.floor(Number.MAX_SAFE_INTEGER / LIMIT_MAX);

const invalid = (parameter: string, reason: string): LamplightError<"PARAM__INVALID"> =>
  new LamplightError("PARAM__INVALID", { parameter, position: null, reason });

/** Reads the rows of a page: 1 to 1000, default 100. */
export const parseLimit = (limit: number | undefined): number => {
  if (limit === undefined) return LIMIT_DEFAULT;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw invalid("limit", `must be 1 to ${LIMIT_MAX}`);
  return limit;
};

/** Reads the number of a page: 1 to 9007199254740, default 1. */
export const parsePage = (page: number | undefined): number => {
  if (page === undefined) return 1;
  if (!Number.isSafeInteger(page) || page < 1 || page > PAGE_MAX)
    throw invalid("page", `must be 1 to ${PAGE_MAX}`);
  return page;
};

/** Refuses more than one way to say where the page starts. */
export const assertOnePageStart = (params: {
  readonly page?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly cursor?: string | undefined;
}): void => {
  const given = (["page", "before", "after", "cursor"] as const).filter((name) => params[name] !== undefined);
  if (given.length > 1)
    throw invalid(
      given[1]!,
      `cannot be combined with ${given[0]!}: give at most one of page, before, after, cursor`,
    );
};
