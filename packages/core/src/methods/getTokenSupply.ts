import { decodeMint } from "@lamplight/codecs";
import type { GetTokenSupplyParams, GetTokenSupplyResult, TokenAmount } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { mintViewOf } from "../amount/mint-view.ts";
import { shapeTokenAmount } from "../amount/shape-token-amount.ts";
import { objectWriter } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/parse-params.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import { shapeContext } from "./account-context.ts";
import { assertAbsenceIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";
import { readTimestampFor } from "./read-clock.ts";
import { read } from "./steps.ts";

const writeResult = objectWriter<GetTokenSupplyResult>()("context", "value");

/** The supply a mint records, read from the mint itself. */
export const getTokenSupply: Method<GetTokenSupplyParams, GetTokenSupplyResult> = {
  readsAt: "asked",
  *steps(params, call) {
    const address = parseAccountAddress("pubKey", params.pubKey);
    const account = yield* read.account(address);
    if (account === null) {
      yield* assertAbsenceIsKnown(call, address, `mint ${params.pubKey}`);
      throw new LamplightError("TOKEN__ACCOUNT_NOT_FOUND", {});
    }
    if (!isTokenProgram(account.programOwner)) throw new LamplightError("TOKEN__NOT_A_MINT", {});
    const mint = decodeMint(account.data);
    const mintView = mintViewOf(account.data);
    if (mint === null || mintView === null) throw new LamplightError("TOKEN__MINT_BROKEN", {});
    const unixTimestamp = yield* readTimestampFor(mintView);
    const value = writeJson<TokenAmount>(shapeTokenAmount(mint.supply, mintView, unixTimestamp));
    return writeResult(shapeContext(call), value);
  },
};
