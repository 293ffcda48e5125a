import type { MethodName } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { nearestName } from "../params/nearest-name.ts";
import { parseParams } from "../params/parse-params.ts";
import type { CallContext } from "./call-context.ts";
import { getAccountInfo } from "./getAccountInfo.ts";
import { getAsset } from "./getAsset.ts";
import { getLargestAccounts } from "./getLargestAccounts.ts";
import { getNftEditions } from "./getNftEditions.ts";
import { getTokenAccountsByDelegate } from "./getTokenAccountsByDelegate.ts";
import { getTokenSupply } from "./getTokenSupply.ts";
import type { Method } from "./method.ts";
import { searchAssets } from "./searchAssets.ts";

/** The seven, by wire name. A Map, so that inherited names such as `constructor` are no methods. */
const methods: ReadonlyMap<string, Method<never>> = new Map<MethodName, Method<never>>([
  ["getNftEditions", getNftEditions],
  ["searchAssets", searchAssets],
  ["getTokenAccountsByDelegate", getTokenAccountsByDelegate],
  ["getAccountInfo", getAccountInfo],
  ["getAsset", getAsset],
  ["getTokenSupply", getTokenSupply],
  ["getLargestAccounts", getLargestAccounts],
]);

export const methodNames: readonly string[] = [...methods.keys()];

/**
 * Answers one call: the finished JSON text of `result`.
 *
 * @param params - as received: positions, names, or undefined/null for none; numbers as `parseExact` gives them
 * @throws LamplightError `REQUEST__METHOD_NOT_FOUND`, a `PARAM__…`, or what the method refuses with
 */
export const callMethod = async (name: string, params: unknown, context: CallContext): Promise<string> => {
  const method = methods.get(name);
  if (method === undefined) {
    const nearest = nearestName(name, methodNames);
    throw new LamplightError("REQUEST__METHOD_NOT_FOUND", {
      method: name,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
  return method(parseParams(name as MethodName, params) as never, context);
};
