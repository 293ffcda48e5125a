import { decodeMint } from "@lamplight/codecs";
import type { GetTokenSupplyParams, GetTokenSupplyResult, TokenAmount } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { mintViewOf } from "../amount/mint-view.ts";
import { shapeTokenAmount } from "../amount/shape-token-amount.ts";
import type { Account } from "../domain/account.ts";
import type { MaybePromise } from "../domain/address.ts";
import type { JsonText } from "../json/json-text.ts";
import { objectWriter } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";
import { shapeContext } from "./account-context.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import { type CallContext, readOnce } from "./call-context.ts";
import type { Method } from "./method.ts";
import { readTimestampFor } from "./read-clock.ts";

const writeResult = objectWriter<GetTokenSupplyResult>()("context", "value");

/** The supply a mint records, read from the mint itself. */
export const getTokenSupply: Method<GetTokenSupplyParams, GetTokenSupplyResult> = (params, context) => {
  const address = parseAccountAddress("pubKey", params.pubKey);
  const only = { kind: "account", address, withMint: false } as const;
  return readOnce(context, params.config?.commitment ?? "finalized", only, (view) =>
    whenReady(view.accounts.findAccount(address), (account) => {
      if (account !== null) return shapeSupply(account, context, view);
      return whenReady(assertAbsenceIsKnown(view, address, `mint ${params.pubKey}`), () => {
        throw new LamplightError("TOKEN__ACCOUNT_NOT_FOUND", {});
      });
    }),
  );
};

const shapeSupply = (
  account: Account,
  context: CallContext,
  view: ReadView,
): MaybePromise<JsonText<GetTokenSupplyResult>> => {
  if (!isTokenProgram(account.programOwner)) throw new LamplightError("TOKEN__NOT_A_MINT", {});
  const mint = decodeMint(account.data);
  const mintView = mintViewOf(account.data);
  if (mint === null || mintView === null) throw new LamplightError("TOKEN__MINT_BROKEN", {});
  return whenReady(readTimestampFor(view, mintView), (unixTimestamp) => {
    const value = writeJson<TokenAmount>(shapeTokenAmount(mint.supply, mintView, unixTimestamp));
    return writeResult(shapeContext(context.settings, view.slot), value);
  });
};
