import { encodeAddress } from "@lamplight/codecs";
import type { GetAccountInfoParams } from "@lamplight/contract";
import type { Account } from "../domain/account.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { mintNeededBy, parseAccount } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { ReadView } from "../ports/read-view.ts";
import { assertAbsenceIsKnown, assertMinContextSlot, shapeContext } from "./account-context.ts";
import { type DataSlice, encodeAccountData, shapeAccount } from "./account-data.ts";
import type { Method } from "./method.ts";
import { defaultEncoding, shapeMissingAccount } from "./profile.ts";
import { readMintView } from "./read-mint-view.ts";
import { readClock } from "./read-clock.ts";

/** What one address holds, in the encoding asked for. */
export const getAccountInfo: Method<GetAccountInfoParams> = async (params, context) => {
  const config = params.config ?? {};
  const address = parseAccountAddress("address", params.address);
  const view = await context.views.view(config.commitment ?? "finalized");
  assertMinContextSlot(view, config.minContextSlot);
  const account = await view.accounts.findAccount(address);
  const contextText = shapeContext(context.settings, view.slot);
  if (account === null) {
    assertAbsenceIsKnown(view.coverage, `account ${params.address}`);
    return shapeMissingAccount(context.profile, contextText);
  }
  const encoding = config.encoding ?? defaultEncoding(context.profile);
  const slice = config.dataSlice ?? null;
  const dataText = await (encoding === "jsonParsed"
    ? parsedOrBase64(account, slice, view)
    : encodeAccountData(account.data, encoding, slice));
  return `{"context":${contextText},"value":${shapeAccount(account, encodeAddress(account.programOwner), dataText)}}`;
};

/** Parsed data, or base64 where Agave has no parser: sliced for any owner but the token programs. */
const parsedOrBase64 = async (account: Account, slice: DataSlice | null, view: ReadView): Promise<string> => {
  const mintAddress = mintNeededBy(account);
  const mint = mintAddress === null ? null : await readMintView(view, mintAddress);
  const parsed = parseAccount(account, { mint, unixTimestamp: (await readClock(view)).unixTimestamp });
  if (parsed !== null) return writeJson(parsed);
  return encodeAccountData(account.data, "base64", isTokenProgram(account.programOwner) ? null : slice);
};
