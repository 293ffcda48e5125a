import { decodeTokenAccount, encodeAddress, sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  assertListable,
  type BaseTokenAccount,
  type Call,
  deriveAccountFacts,
  type Holder,
  type HolderCount,
  type HolderQuery,
  parseAssetAddress,
  parseLimit,
  parsePage,
  pause,
  read,
  rows,
  type Steps,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { HOLDERS_SKIPPED_MAX } from "../das-limits.ts";
import type { GetTokenAccountsParams } from "../generated/types.ts";
import { LIMIT_DEFAULT } from "./list-assets.ts";
import type { FoundPage } from "./shape-token-accounts.ts";
import { coversTokenAccounts } from "./token-account-coverage.ts";

/** Token accounts that one statement reads, where a page skips them: some milliseconds. */
const HOLDERS_PER_READ = 4096;
/** Bytes of a token account in the list: its address and its amount. */
const HOLDER_BYTES = 40;

/** A list of holders, without the place where it begins. */
type List = Omit<HolderQuery, "after" | "limit">;

/**
 * Runs behind the first read: from then on, the view says what the store covers.
 *
 * @throws LamplightError `STORE__NOT_COVERED`
 */
type AssertCovered = () => void;

export const invalidParam = (parameter: string, reason: string): LamplightError =>
  new LamplightError("PARAM__INVALID", { parameter, position: null, reason });

/** A page of the token accounts of a mint. */
export function* listHolders(params: GetTokenAccountsParams, call: Call): Steps<FoundPage> {
  const { mintAddress, page, before } = params;
  if (mintAddress === undefined) throw invalidParam("ownerAddress", "is required, or a mintAddress");
  const list = listOf(parseAssetAddress("mintAddress", mintAddress), params);
  const assertCovered = (): void => {
    if (!coversTokenAccounts(call.coverage, undefined, mintAddress))
      assertListable(call, `token accounts of mint ${mintAddress}`);
  };
  const limit = parseLimit(params.limit ?? LIMIT_DEFAULT);
  const named = yield* placeNamedBy(params, list, assertCovered);
  const start = named === null ? yield* skipTo(list, parsePage(page), limit, assertCovered) : named;
  // One more shows whether there is a next page. Behind the last one, only the number is read.
  const wanted = start === "end" ? 0 : before === undefined ? limit + 1 : limit;
  const after = start === null || start === "end" ? {} : { after: start };
  const query = { ...(before === undefined ? list : turned(list)), ...after, limit: wanted };
  const { count, accounts } = yield* read.holderPage(query);
  assertCovered();
  const shown = before === undefined ? accounts.slice(0, limit) : accounts.toReversed();
  const last = shown.length === 0 ? null : holderOf(shown.at(-1)!);
  const hasNext =
    before === undefined
      ? accounts.length > limit
      : last !== null && (yield* readFrom(list, last, 1)).length > 0;
  return {
    total: totalOf(list, count),
    limit,
    page: named === null ? parsePage(page) : undefined,
    cursor: hasNext && last !== null ? cursorOf(list, last) : undefined,
    accounts: shown,
  };
}

const totalOf = ({ showsEmpty }: List, { positive, empty }: HolderCount): number =>
  showsEmpty ? positive + empty : positive;

const listOf = (mint: AddressBytes, { sortBy = {}, options }: GetTokenAccountsParams): List => {
  const sort = sortBy.sortBy === "amount" ? "amount" : "address";
  const direction = sortBy.sortDirection ?? (sort === "amount" ? "desc" : "asc");
  return { mint, sort, direction, showsEmpty: options?.showZeroBalance === true };
};

/** Turns a list around, so that it begins at its end. */
const turned = (list: List): List => ({ ...list, direction: list.direction === "asc" ? "desc" : "asc" });

function* readFrom(list: List, after: Holder | null, limit: number): Steps<readonly Holder[]> {
  const found = yield* read.holders({ ...list, limit, ...(after === null ? {} : { after }) });
  yield rows(found.length * HOLDER_BYTES);
  yield pause;
  return found;
}

/**
 * The token account before a page; null before the first page, `end` where the page is behind the last one.
 *
 * @throws LamplightError `QUERY__OVER_BUDGET` for a page behind more than `HOLDERS_SKIPPED_MAX`
 */
function* skipTo(
  list: List,
  page: number,
  limit: number,
  assertCovered: AssertCovered,
): Steps<Holder | null | "end"> {
  let skipped = (page - 1) * limit;
  if (skipped === 0) return null;
  const count = yield* read.holderCount(list.mint);
  assertCovered();
  if (skipped >= totalOf(list, count)) return "end";
  if (skipped > HOLDERS_SKIPPED_MAX)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `page ${page} lies behind more than ${HOLDERS_SKIPPED_MAX} token accounts`,
      cheaper: "the cursor of the page before it",
    });
  let last: Holder | null = null;
  while (skipped > 0) {
    const passed: readonly Holder[] = yield* readFrom(list, last, Math.min(skipped, HOLDERS_PER_READ));
    last = passed.at(-1)!;
    skipped -= passed.length;
  }
  return last;
}

/** The place that the page follows or precedes; null where the call names none. */
function* placeNamedBy(
  { before, after, cursor }: GetTokenAccountsParams,
  { mint, sort }: List,
  assertCovered: AssertCovered,
): Steps<Holder | null> {
  if (cursor !== undefined && sort === "amount") return parseCursor(cursor);
  for (const [name, text] of Object.entries({ before, after, cursor })) {
    if (text === undefined) continue;
    const tokenAccount = parseAssetAddress(name, text);
    // By address, the page of an account that is gone is where the account was.
    if (sort === "address") return { tokenAccount, amount: 0n };
    return yield* holderAt(name, tokenAccount, mint, assertCovered);
  }
  return null;
}

function* holderAt(
  name: string,
  tokenAccount: AddressBytes,
  mint: AddressBytes,
  assertCovered: AssertCovered,
): Steps<Holder> {
  const account = yield* read.account(tokenAccount);
  assertCovered();
  const holding = account === null ? null : deriveAccountFacts(account).holding;
  if (account === null || holding === null || !sameBytes(holding.mint, mint))
    throw invalidParam(name, "is no token account of the mint");
  return holderOf(account);
}

const holderOf = ({ address, data }: BaseTokenAccount): Holder => ({
  tokenAccount: address,
  amount: decodeTokenAccount(data)!.amount,
});

const cursorOf = ({ sort }: List, { tokenAccount, amount }: Holder): string =>
  sort === "address" ? encodeAddress(tokenAccount) : `${amount}.${encodeAddress(tokenAccount)}`;

const U64_MAX = 2n ** 64n - 1n;

const parseCursor = (cursor: string): Holder => {
  const [, digits, address] = /^(\d{1,20})\.(\w+)$/u.exec(cursor) ?? [];
  const amount = BigInt(digits ?? U64_MAX + 1n);
  if (address === undefined || amount > U64_MAX)
    throw invalidParam("cursor", "must be the cursor of an earlier answer in this order");
  return { tokenAccount: parseAssetAddress("cursor", address), amount };
};
