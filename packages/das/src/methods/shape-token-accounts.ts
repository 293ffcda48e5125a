import { decodeTokenAccount, encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  type BaseTokenAccount,
  type JsonText,
  listJson,
  objectWriter,
  plainText,
  rows,
  type Steps,
} from "@lamplight/core";
import { brokenInvariant } from "@lamplight/errors";
import type { TokenAccount, TokenAccountPage } from "../generated/types.ts";

const writePage = objectWriter<TokenAccountPage>()(
  "total",
  "limit",
  "page",
  "cursor",
  "token_accounts",
  "errors",
);

/** A page before it is written. */
export interface FoundPage {
  readonly total: number;
  readonly limit: number;
  /** Undefined where the call does not name the page by its number. */
  readonly page: number | undefined;
  /** Undefined on the last page. */
  readonly cursor: string | undefined;
  readonly accounts: readonly BaseTokenAccount[];
}

export function* shapeTokenAccounts(found: FoundPage): Steps<JsonText<TokenAccountPage>> {
  const { total, limit, page, cursor, accounts } = found;
  yield rows(accounts.reduce((sum, { data }) => sum + data.length, 0));
  return writePage(
    total,
    limit,
    page,
    cursor === undefined ? undefined : plainText(cursor),
    listJson(accounts.map(shapeAccount)),
    listJson([]),
  );
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
const shapeAccount = ({ address, data }: BaseTokenAccount): JsonText<TokenAccount> => {
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
