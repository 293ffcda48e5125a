import { decodeMint } from "@lamplight/codecs";
import type { GetTokenSupplyParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { mintViewOf } from "../amount/mint-view.ts";
import { shapeTokenAmount } from "../amount/shape-token-amount.ts";
import { writeJson } from "../json/write-json.ts";
import { parseAccountAddress } from "../params/addresses.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import { assertAbsenceIsKnown, shapeContext } from "./account-context.ts";
import type { Method } from "./method.ts";
import { readClock } from "./read-clock.ts";

/** The supply a mint records, read from the mint itself. */
export const getTokenSupply: Method<GetTokenSupplyParams> = async (params, context) => {
  const address = parseAccountAddress("pubKey", params.pubKey);
  const view = await context.views.view(params.config?.commitment ?? "finalized");
  const account = await view.accounts.findAccount(address);
  if (account === null) {
    assertAbsenceIsKnown(view.coverage, `mint ${params.pubKey}`);
    throw new LamplightError("TOKEN__ACCOUNT_NOT_FOUND", {});
  }
  if (!isTokenProgram(account.programOwner)) throw new LamplightError("TOKEN__NOT_A_MINT", {});
  const mint = decodeMint(account.data);
  const mintView = mintViewOf(account.data);
  if (mint === null || mintView === null) throw new LamplightError("TOKEN__MINT_BROKEN", {});
  const { unixTimestamp } = await readClock(view);
  const value = writeJson(shapeTokenAmount(mint.supply, mintView, unixTimestamp));
  return `{"context":${shapeContext(context.settings, view.slot)},"value":${value}}`;
};
