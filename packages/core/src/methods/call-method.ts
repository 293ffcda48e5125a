import { type MethodName, methods as contractMethods } from "@lamplight/contract";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { nearestName } from "../params/nearest-name.ts";
import { parseParams } from "../params/parse-params.ts";
import type { MaybePromise } from "../domain/address.ts";
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
 * Answers one call: the finished JSON text of `result`, at once where the method and the store need not wait.
 *
 * @param params - as received: positions, names, or undefined/null for none; numbers as `parseExact` gives them
 * @throws LamplightError `REQUEST__METHOD_NOT_FOUND`, a `PARAM__…`, or what the method refuses with
 */
export const answerCall = (name: string, params: unknown, context: CallContext): MaybePromise<string> => {
  const method = methods.get(name);
  if (method === undefined) {
    const nearest = nearestName(name, methodNames);
    throw new LamplightError("REQUEST__METHOD_NOT_FOUND", {
      method: name,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
  const refuse = (error: unknown): never => {
    throw withPosition(error, name as MethodName, params);
  };
  try {
    const answer = method(parseParams(name as MethodName, params) as never, context);
    return answer instanceof Promise ? answer.catch(refuse) : answer;
  } catch (error) {
    return refuse(error);
  }
};

/** A method names the parameter it refuses; in a positional call its position belongs to that. */
const withPosition = (error: unknown, method: MethodName, params: unknown): unknown => {
  if (!isLamplightError(error, "PARAM__INVALID") || error.context.position !== null) return error;
  const [root] = error.context.parameter.split(".");
  const index = contractMethods[method].params.findIndex((spec) => !spec.byNameOnly && spec.name === root);
  return Array.isArray(params) && index >= 0
    ? new LamplightError("PARAM__INVALID", { ...error.context, position: index + 1 }, { cause: error })
    : error;
};

/** `answerCall` as a promise, whatever happens: for callers to whom a turn of the event loop is nothing. */
export const callMethod = async (name: string, params: unknown, context: CallContext): Promise<string> =>
  answerCall(name, params, context);
