import { encodeAddress } from "@lamplight/codecs";
import type { GetLargestAccountsParams, GetLargestAccountsResult, LargestAccount } from "@lamplight/contract";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { assertWhole, shapeContext } from "./account-context.ts";
import type { Method } from "./method.ts";
import { readClock } from "./read-clock.ts";
import { open, read } from "./steps.ts";

/** Spec §8: always 20, fewer only when fewer exist. */
const LARGEST_ACCOUNTS = 20;

const writeEntry = objectWriter<LargestAccount>()("address", "lamports");
const writeResult = objectWriter<GetLargestAccountsResult>()("context", "value");

/** The largest balances, exact at the slot that answers. */
export const getLargestAccounts: Method<GetLargestAccountsParams, GetLargestAccountsResult> = {
  readsAt: "asked",
  *steps(params, call) {
    const filter = params.config?.filter ?? "all";
    const { largestAccountsCache: cache } = call.settings;
    const cached = cache.find(filter);
    if (cached !== null) {
      call.noteSlot(cached.slot);
      return cached.text;
    }
    yield open;
    assertWhole(call, "the lamports of every account");
    const clock = yield* readClock();
    const largest = yield* read.largest({ filter, limit: LARGEST_ACCOUNTS, clock });
    const value = largest.map((one) => writeEntry(plainText(encodeAddress(one.address)), one.lamports));
    const text = writeResult(shapeContext(call), listJson(value));
    cache.keep(filter, text, call.slot);
    return text;
  },
};
