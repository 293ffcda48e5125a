import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  assertListable,
  assertOnePageStart,
  type Call,
  type Holding,
  type Method,
  parseAssetAddress,
  parseLimit,
  parsePage,
  pause,
  read,
  rows,
  type Steps,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { WALLET_ACCOUNTS_MAX } from "../das-limits.ts";
import type { GetTokenAccountsParams, TokenAccountPage } from "../generated/types.ts";
import { LIMIT_DEFAULT } from "./list-assets.ts";
import { invalidParam, listHolders } from "./list-holders.ts";
import { type FoundPage, shapeTokenAccounts } from "./shape-token-accounts.ts";
import { coversTokenAccounts } from "./token-account-coverage.ts";

/** Holdings that are read as one statement: some milliseconds. */
const HOLDINGS_PER_READ = 4096;
/** Bytes of a holding: three addresses. */
const HOLDING_BYTES = 96;

/** The token accounts of a wallet, or of a mint. */
export const getTokenAccounts: Method<GetTokenAccountsParams, TokenAccountPage> = {
  readsAt: "assets",
  isList: true,
  cheaper: () => "a smaller limit",
  *steps(params, call) {
    const { ownerAddress, sortBy } = params;
    assertOnePageStart(params);
    if (ownerAddress === undefined) return yield* shapeTokenAccounts(yield* listHolders(params, call));
    if (sortBy !== undefined)
      throw invalidParam("sortBy", "is for the token accounts of a mint, without ownerAddress");
    return yield* shapeTokenAccounts(yield* listOfWallet({ ...params, ownerAddress }, call));
  },
};

function* listOfWallet(
  params: GetTokenAccountsParams & { readonly ownerAddress: string },
  call: Call,
): Steps<FoundPage> {
  const { ownerAddress, mintAddress, options, limit: asked = LIMIT_DEFAULT } = params;
  const tokenOwner = parseAssetAddress("ownerAddress", ownerAddress);
  const mint = mintAddress === undefined ? null : parseAssetAddress("mintAddress", mintAddress);
  const limit = parseLimit(asked);
  const showsEmpty = options?.showZeroBalance === true;
  const few = isFirstPage(params) ? yield* read.heldAccounts({ tokenOwner, mint, showsEmpty, limit }) : null;
  const listed = few === null ? yield* listLong(tokenOwner, mint, showsEmpty) : [];
  if (!coversTokenAccounts(call.coverage, ownerAddress, mintAddress))
    assertListable(call, `token accounts of ${ownerAddress}`);
  if (few === null) return yield* pageOf(listed, params, limit);
  const accounts = few.toSorted((one, other) => Buffer.compare(one.address, other.address));
  return { total: accounts.length, limit, page: 1, cursor: undefined, accounts };
}

const isFirstPage = ({ page, before, after, cursor }: GetTokenAccountsParams): boolean =>
  (before ?? after ?? cursor) === undefined && parsePage(page) === 1;

/** Addresses of the token accounts of a wallet, ascending, where they may be more than one page has. */
function* listLong(
  tokenOwner: AddressBytes,
  mint: AddressBytes | null,
  showsEmpty: boolean,
): Steps<readonly AddressBytes[]> {
  const holdings = yield* mint === null ? listWallet(tokenOwner) : listOfMint(tokenOwner, mint);
  return holdings
    .filter(({ positive }) => positive || showsEmpty)
    .map(({ tokenAccount }) => tokenAccount)
    .toSorted(Buffer.compare);
}

function* pageOf(
  addresses: readonly AddressBytes[],
  params: GetTokenAccountsParams,
  limit: number,
): Steps<FoundPage> {
  const { from, to, page } = findPage(addresses, params, limit);
  const shown = addresses.slice(from, to);
  const hasNext = shown.length > 0 && from + shown.length < addresses.length;
  const cursor = hasNext ? encodeAddress(shown.at(-1)!) : undefined;
  const accounts = shown.length === 0 ? [] : yield* read.tokenAccounts(shown);
  return { total: addresses.length, limit, page, cursor, accounts };
}

/** @throws LamplightError `QUERY__OVER_BUDGET` for more than `WALLET_ACCOUNTS_MAX` */
function* listWallet(tokenOwner: AddressBytes): Steps<readonly Holding[]> {
  const holdings: Holding[] = [];
  for (;;) {
    const last = holdings.at(-1);
    const after = last === undefined ? {} : { after: last };
    const found = yield* read.walletHoldings({ tokenOwner, limit: HOLDINGS_PER_READ, ...after });
    holdings.push(...found);
    yield* noteRead(holdings, found);
    if (found.length < HOLDINGS_PER_READ) return holdings;
  }
}

/** @throws LamplightError `QUERY__OVER_BUDGET` for more than `WALLET_ACCOUNTS_MAX` */
function* listOfMint(tokenOwner: AddressBytes, mint: AddressBytes): Steps<readonly Holding[]> {
  const holdings: Holding[] = [];
  for (;;) {
    const last = holdings.at(-1);
    const after = last === undefined ? {} : { after: last.tokenAccount };
    const found = yield* read.holdings({ tokenOwner, mints: [mint], limit: HOLDINGS_PER_READ, ...after });
    holdings.push(...found);
    yield* noteRead(holdings, found);
    if (found.length < HOLDINGS_PER_READ) return holdings;
  }
}

function* noteRead(holdings: readonly Holding[], found: readonly Holding[]): Steps<void> {
  yield rows(found.length * HOLDING_BYTES);
  yield pause;
  if (holdings.length > WALLET_ACCOUNTS_MAX)
    throw new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the wallet has more than ${WALLET_ACCOUNTS_MAX} token accounts`,
      cheaper: "name a mintAddress of which the wallet has fewer",
    });
}

/** One page of a list. */
interface PageRange {
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
  /** Undefined where the call does not name the page by its number. */
  readonly page: number | undefined;
}

const findPage = (
  addresses: readonly AddressBytes[],
  { page, before, after, cursor }: GetTokenAccountsParams,
  limit: number,
): PageRange => {
  const pageFrom = (from: number, number?: number): PageRange => ({ from, to: from + limit, page: number });
  if (before !== undefined) {
    const to = placeOf(addresses, parseAssetAddress("before", before));
    return { from: Math.max(0, to - limit), to, page: undefined };
  }
  const [name, text] = after === undefined ? (["cursor", cursor] as const) : (["after", after] as const);
  if (text === undefined) return pageFrom((parsePage(page) - 1) * limit, parsePage(page));
  const address = parseAssetAddress(name, text);
  const place = placeOf(addresses, address);
  const isThere = place < addresses.length && Buffer.compare(addresses[place]!, address) === 0;
  return pageFrom(isThere ? place + 1 : place);
};

/** The number of addresses below one, so that a page follows an account that was closed. */
const placeOf = (addresses: readonly AddressBytes[], address: AddressBytes): number => {
  const place = addresses.findIndex((one) => Buffer.compare(one, address) >= 0);
  return place < 0 ? addresses.length : place;
};
