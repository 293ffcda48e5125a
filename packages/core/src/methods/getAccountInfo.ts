import type {
  AccountData,
  GetAccountInfoParams,
  GetAccountInfoResult,
  ParsedAccountData,
} from "@lamplight/contract";
import { mintViewOf } from "../amount/mint-view.ts";
import type { Account } from "../domain/account.ts";
import type { JsonText } from "../json/json-text.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/parse-params.ts";
import { parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import { shapeContext } from "./account-context.ts";
import { type DataSlice, encodeAccountData, programText, shapeAccount } from "./account-data.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Call, Method } from "./method.ts";
import { defaultEncoding, shapeMissingAccount, writeAccountInfo } from "../profile/profile.ts";
import { readTimestampFor } from "./read-clock.ts";
import { read, type Steps } from "./steps.ts";

/** Answers with the account at one address, in the encoding asked for. */
export const getAccountInfo: Method<GetAccountInfoParams, GetAccountInfoResult> = {
  readsAt: "asked",
  *steps(params, call) {
    const address = parseAccountAddress("address", params.address);
    const isParsed = params.config?.encoding === "jsonParsed";
    const { account, mint } = isParsed
      ? yield* read.accountWithMint(address)
      : { account: yield* read.account(address), mint: null };
    if (account === null) {
      yield* assertAbsenceIsKnown(call, address, `account ${params.address}`);
      return shapeMissingAccount(call.profile, shapeContext(call));
    }
    const data = yield* encodeAs(account, mint, params, call);
    const value = shapeAccount(account, programText(account.programOwner), data);
    return writeAccountInfo(shapeContext(call), value);
  },
};

function* encodeAs(
  account: Account,
  mint: Account | null,
  { config }: GetAccountInfoParams,
  { profile }: Call,
): Steps<JsonText<AccountData>> {
  const encoding = config?.encoding ?? defaultEncoding(profile);
  const slice = config?.dataSlice ?? null;
  return encoding === "jsonParsed"
    ? yield* parsedOrBase64(account, mint, slice)
    : yield* encodeAccountData(account.data, encoding, slice);
}

/** Parsed data, or base64 where Agave has no parser: sliced for any owner but the token programs. */
function* parsedOrBase64(
  account: Account,
  mintAccount: Account | null,
  slice: DataSlice | null,
): Steps<JsonText<AccountData>> {
  // Its owner does not matter, as in Agave.
  const mint = mintAccount === null ? null : mintViewOf(mintAccount.data);
  const unixTimestamp = yield* readTimestampFor(mint);
  const parsed = parseAccount(account, { mint, unixTimestamp });
  if (parsed !== null) return writeJson<ParsedAccountData>(parsed);
  return yield* encodeAccountData(
    account.data,
    "base64",
    isTokenProgram(account.programOwner) ? null : slice,
  );
}
