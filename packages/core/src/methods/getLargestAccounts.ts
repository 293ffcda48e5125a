import { encodeAddress } from "@lamplight/codecs";
import type { GetLargestAccountsParams, GetLargestAccountsResult, LargestAccount } from "@lamplight/contract";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { assertWhole, shapeContext } from "./account-context.ts";
import type { Method } from "./method.ts";
import { readClock } from "./read-clock.ts";

/** Spec §8: always 20, fewer only when fewer exist. */
const LARGEST_ACCOUNTS = 20;

const writeEntry = objectWriter<LargestAccount>()("address", "lamports");
const writeResult = objectWriter<GetLargestAccountsResult>()("context", "value");

/** The largest balances, exact at the slot that answers. */
export const getLargestAccounts: Method<GetLargestAccountsParams, GetLargestAccountsResult> = async (
  params,
  context,
) => {
  const filter = params.config?.filter ?? "all";
  const cached = context.settings.largestAccountsCache.find(filter);
  if (cached !== null) {
    context.views.note(cached.slot);
    return cached.text;
  }
  const view = await context.views.view(params.config?.commitment ?? "finalized");
  assertWhole(view.coverage, "the lamports of every account");
  const largest = await view.accounts.listLargestAccounts({
    filter,
    limit: LARGEST_ACCOUNTS,
    clock: await readClock(view),
  });
  const value = largest.map((one) => writeEntry(plainText(encodeAddress(one.address)), one.lamports));
  const text = writeResult(shapeContext(context.settings, view.slot), listJson(value));
  context.settings.largestAccountsCache.keep(filter, text, view.slot);
  return text;
};
