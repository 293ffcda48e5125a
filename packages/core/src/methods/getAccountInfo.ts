import { encodeAddress } from "@lamplight/codecs";
import type { GetAccountInfoParams } from "@lamplight/contract";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";
import { assertAbsenceIsKnown, assertMinContextSlot, shapeContext } from "./account-context.ts";
import { type DataSlice, encodeAccountData, shapeAccount } from "./account-data.ts";
import type { CallContext } from "./call-context.ts";
import type { Method } from "./method.ts";
import { defaultEncoding, shapeMissingAccount } from "./profile.ts";
import { readMintView } from "./read-mint-view.ts";
import { readClock } from "./read-clock.ts";

/** What one address holds, in the encoding asked for. */
export const getAccountInfo: Method<GetAccountInfoParams> = (params, context) => {
  const address = parseAccountAddress("address", params.address);
  return whenReady(context.views.view(params.config?.commitment ?? "finalized"), (view) => {
    assertMinContextSlot(view, params.config?.minContextSlot);
    return whenReady(view.accounts.findAccount(address), (account) =>
      account === null ? shapeAbsence(params, context, view) : shapeFound(account, params, context, view),
    );
  });
};

const shapeAbsence = (params: GetAccountInfoParams, context: CallContext, view: ReadView): string => {
  assertAbsenceIsKnown(view.coverage, `account ${params.address}`, params.address);
  return shapeMissingAccount(context.profile, shapeContext(context.settings, view.slot));
};

const shapeFound = (
  account: Account,
  params: GetAccountInfoParams,
  context: CallContext,
  view: ReadView,
): MaybePromise<string> => {
  const encoding = params.config?.encoding ?? defaultEncoding(context.profile);
  const slice = params.config?.dataSlice ?? null;
  const data =
    encoding === "jsonParsed"
      ? parsedOrBase64(account, slice, view)
      : encodeAccountData(account.data, encoding, slice);
  return whenReady(data, (dataText) => {
    const value = shapeAccount(account, programText(account.programOwner), dataText);
    return `{"context":${shapeContext(context.settings, view.slot)},"value":${value}}`;
  });
};

/** Base58 of owner programs, for as long as a store hands out the same bytes: there are few of them. */
const programTexts = new WeakMap<AddressBytes, string>();

const programText = (program: AddressBytes): string => {
  const known = programTexts.get(program);
  if (known !== undefined) return known;
  const text = encodeAddress(program);
  programTexts.set(program, text);
  return text;
};

/** Parsed data, or base64 where Agave has no parser: sliced for any owner but the token programs. */
const parsedOrBase64 = async (account: Account, slice: DataSlice | null, view: ReadView): Promise<string> => {
  const mintAddress = mintNeededBy(account);
  const mint = mintAddress === null ? null : await readMintView(view, mintAddress);
  const parsed = parseAccount(account, { mint, unixTimestamp: (await readClock(view)).unixTimestamp });
  if (parsed !== null) return writeJson(parsed);
  return encodeAccountData(account.data, "base64", isTokenProgram(account.programOwner) ? null : slice);
};
