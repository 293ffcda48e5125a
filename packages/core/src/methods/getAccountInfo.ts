import type {
  Account as WireAccount,
  AccountData,
  GetAccountInfoParams,
  GetAccountInfoResult,
  ParsedAccountData,
} from "@lamplight/contract";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { JsonText } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";
import { assertMinContextSlot, shapeContext } from "./account-context.ts";
import { type DataSlice, encodeAccountData, programText, shapeAccount } from "./account-data.ts";
import { type CallContext, readOnce } from "./call-context.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";
import { defaultEncoding, shapeMissingAccount, writeAccountInfo } from "./profile.ts";
import { readMintView } from "./read-mint-view.ts";
import { readTimestampFor } from "./read-clock.ts";

/** What one address holds, in the encoding asked for. */
export const getAccountInfo: Method<GetAccountInfoParams, GetAccountInfoResult> = (params, context) => {
  const address = parseAccountAddress("address", params.address);
  const only = { kind: "account", address, withMint: params.config?.encoding === "jsonParsed" } as const;
  return readOnce(context, params.config?.commitment ?? "finalized", only, (view) => {
    assertMinContextSlot(view, params.config?.minContextSlot);
    return whenReady(view.accounts.findAccount(address), (account) =>
      account === null
        ? shapeAbsence(address, context, view, params.address)
        : shapeFound(account, params, context, view),
    );
  });
};

const shapeAbsence = (
  address: AddressBytes,
  context: CallContext,
  view: ReadView,
  text: string,
): MaybePromise<JsonText<GetAccountInfoResult>> =>
  whenReady(assertAbsenceIsKnown(view, address, `account ${text}`), () =>
    shapeMissingAccount(context.profile, shapeContext(context.settings, view.slot)),
  );

const shapeFound = (
  account: Account,
  params: GetAccountInfoParams,
  context: CallContext,
  view: ReadView,
): MaybePromise<JsonText<GetAccountInfoResult>> => {
  const encoding = params.config?.encoding ?? defaultEncoding(context.profile);
  const slice = params.config?.dataSlice ?? null;
  const data: MaybePromise<JsonText<AccountData>> =
    encoding === "jsonParsed"
      ? parsedOrBase64(account, slice, view)
      : encodeAccountData(account.data, encoding, slice);
  return whenReady(data, (dataText) => {
    const value: JsonText<WireAccount> = shapeAccount(account, programText(account.programOwner), dataText);
    return writeAccountInfo(shapeContext(context.settings, view.slot), value);
  });
};

/** Parsed data, or base64 where Agave has no parser: sliced for any owner but the token programs. */
const parsedOrBase64 = (
  account: Account,
  slice: DataSlice | null,
  view: ReadView,
): MaybePromise<JsonText<AccountData>> => {
  const mintAddress = mintNeededBy(account);
  return whenReady(mintAddress === null ? null : readMintView(view, mintAddress), (mint) =>
    whenReady(readTimestampFor(view, mint), (unixTimestamp) => {
      const parsed = parseAccount(account, { mint, unixTimestamp });
      if (parsed !== null) return writeJson<ParsedAccountData>(parsed);
      return encodeAccountData(account.data, "base64", isTokenProgram(account.programOwner) ? null : slice);
    }),
  );
};
