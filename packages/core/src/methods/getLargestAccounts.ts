import { encodeAddress } from "@lamplight/codecs";
import type { GetLargestAccountsParams } from "@lamplight/contract";
import { assertAbsenceIsKnown, shapeContext } from "./account-context.ts";
import type { Method } from "./method.ts";
import { readClock } from "./read-clock.ts";

/** Spec §8: always 20, fewer only when fewer exist. */
const LARGEST_ACCOUNTS = 20;

/** The largest balances, exact at the slot that answers. */
export const getLargestAccounts: Method<GetLargestAccountsParams> = async (params, context) => {
  const filter = params.config?.filter ?? "all";
  const cached = context.settings.largestAccountsCache.find(filter);
  if (cached !== null) {
    context.views.note(cached.slot);
    return cached.text;
  }
  const view = await context.views.view(params.config?.commitment ?? "finalized");
  assertAbsenceIsKnown(view.coverage, "the lamports of every account");
  const largest = await view.accounts.listLargestAccounts({
    filter,
    limit: LARGEST_ACCOUNTS,
    clock: await readClock(view),
  });
  const value = largest.map(
    (one) => `{"address":"${encodeAddress(one.address)}","lamports":${one.lamports}}`,
  );
  const text = `{"context":${shapeContext(context.settings, view.slot)},"value":[${value.join(",")}]}`;
  context.settings.largestAccountsCache.keep(filter, text, view.slot);
  return text;
};
