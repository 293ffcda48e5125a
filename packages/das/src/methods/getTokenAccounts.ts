import { decodeTokenAccount, encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  assertListable,
  assertOnePageStart,
  type Coverage,
  type Holding,
  type JsonText,
  listJson,
  type Method,
  objectWriter,
  parseAssetAddress,
  parseLimit,
  parsePage,
  pause,
  plainText,
  read,
  rows,
  type Steps,
} from "@lamplight/core";
import { brokenInvariant, LamplightError } from "@lamplight/errors";
import { WALLET_ACCOUNTS_MAX } from "../das-limits.ts";
import type { GetTokenAccountsParams, TokenAccount, TokenAccountPage } from "../generated/types.ts";
import { LIMIT_DEFAULT } from "./list-assets.ts";

/** Holdings that are read as one statement: some milliseconds. */
const HOLDINGS_PER_READ = 4096;
/** Bytes of a holding: three addresses. */
const HOLDING_BYTES = 96;

const writePage = objectWriter<TokenAccountPage>()(
  "total",
  "limit",
  "page",
  "cursor",
  "token_accounts",
  "errors",
);

/** The token accounts of a wallet, ascending by address. */
export const getTokenAccounts: Method<GetTokenAccountsParams, TokenAccountPage> = {
  readsAt: "assets",
  isList: true,
  cheaper: () => "a smaller limit",
  *steps(params, call) {
    const { ownerAddress, mintAddress, options, limit: asked = LIMIT_DEFAULT } = params;
    if (ownerAddress === undefined) throw refuseWithoutOwner(mintAddress);
    const tokenOwner = parseAssetAddress("ownerAddress", ownerAddress);
    const mint = mintAddress === undefined ? null : parseAssetAddress("mintAddress", mintAddress);
    const limit = parseLimit(asked);
    assertOnePageStart(params);
    const holdings = yield* mint === null ? listWallet(tokenOwner) : listOfMint(tokenOwner, mint);
    if (!isCovered(call.coverage, ownerAddress, mintAddress))
      assertListable(call, `token accounts of ${ownerAddress}`);
    const addresses = holdings
      .filter(({ positive }) => positive || options?.showZeroBalance === true)
      .map(({ tokenAccount }) => tokenAccount)
      .toSorted(Buffer.compare);
    const { from, to, page } = findPage(addresses, params, limit);
    const shown = addresses.slice(from, to);
    const hasNext = shown.length > 0 && from + shown.length < addresses.length;
    return writePage(
      addresses.length,
      limit,
      page,
      hasNext ? plainText(encodeAddress(shown.at(-1)!)) : undefined,
      listJson((yield* readAccounts(shown)).map(shapeAccount)),
      listJson([]),
    );
  },
};

const refuseWithoutOwner = (mint: string | undefined): LamplightError =>
  mint === undefined
    ? new LamplightError("PARAM__INVALID", {
        parameter: "ownerAddress",
        position: null,
        reason: "is required",
      })
    : new LamplightError("PARAM__NOT_SUPPORTED_YET", { parameter: "mintAddress without ownerAddress" });

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

/** Whether the store holds every token account that the call asks for. */
const isCovered = (coverage: Coverage, owner: string, mint: string | undefined): boolean =>
  coverage.kind === "whole" ||
  coverage.owners.includes(owner) ||
  (mint !== undefined && coverage.mints.includes(mint)) ||
  tokenPrograms.every((program) => coverage.programs.includes(program));

const tokenPrograms = [programAddresses.token, programAddresses.token2022].map(encodeAddress);

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

function* readAccounts(addresses: readonly AddressBytes[]): Steps<readonly Account[]> {
  if (addresses.length === 0) return [];
  const accounts = yield* read.accounts(addresses);
  yield rows(accounts.reduce((sum, account) => sum + account!.data.length, 0));
  return accounts as readonly Account[];
}

const writeAccount = objectWriter<TokenAccount>()(
  "address",
  "mint",
  "owner",
  "amount",
  "delegated_amount",
  "frozen",
  "delegate",
  "close_authority",
);

const addressText = (address: AddressBytes | null): JsonText<string> | null =>
  address === null ? null : plainText(encodeAddress(address));

/** The delegated amount remains in an account whose delegate was revoked; without a delegate it is 0. */
const shapeAccount = ({ address, data }: Account): JsonText<TokenAccount> => {
  const account = decodeTokenAccount(data);
  if (account === null) throw brokenInvariant("a holding is of a token account");
  return writeAccount(
    plainText(encodeAddress(address)),
    plainText(encodeAddress(account.mint)),
    plainText(encodeAddress(account.tokenOwner)),
    account.amount,
    account.delegate === null ? 0n : account.delegatedAmount,
    account.state === "frozen",
    addressText(account.delegate),
    addressText(account.closeAuthority),
  );
};
