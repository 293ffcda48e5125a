import { type MethodName, methods as contractMethods } from "@lamplight/contract";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { nearestName } from "../params/nearest-name.ts";
import { parseParams } from "../params/parse-params.ts";
import type { MaybePromise } from "../domain/address.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { CallContext } from "./call-context.ts";
import { runMethod } from "./run-method.ts";
import { getAccountInfo } from "../methods/getAccountInfo.ts";
import { getAsset } from "../methods/getAsset.ts";
import { getLargestAccounts } from "../methods/getLargestAccounts.ts";
import { getNftEditions } from "../methods/getNftEditions.ts";
import { getTokenAccountsByDelegate } from "../methods/getTokenAccountsByDelegate.ts";
import { getTokenSupply } from "../methods/getTokenSupply.ts";
import type { Method, MethodTable } from "../methods/method.ts";
import { searchAssets } from "../methods/searchAssets.ts";

/** Every method of the contract. */
export const methodTable: MethodTable = {
  getNftEditions,
  searchAssets,
  getTokenAccountsByDelegate,
  getAccountInfo,
  getAsset,
  getTokenSupply,
  getLargestAccounts,
};

/** The methods by wire name. A Map, so that inherited names such as `constructor` are no methods. */
const methods: ReadonlyMap<string, Method<never, unknown>> = new Map(Object.entries(methodTable));

export const methodNames: readonly string[] = [...methods.keys()];

/** @param names - the methods that a misspelt name may mean */
export const methodNotFound = (method: string, names: Iterable<string>): LamplightError => {
  const nearest = nearestName(method, names);
  return new LamplightError("REQUEST__METHOD_NOT_FOUND", {
    method,
    ...(nearest === undefined ? {} : { nearest }),
  });
};

/**
 * Answers one call: the finished JSON of `result`, at once where the method and the store need not wait.
 *
 * @param params - as received: positions, names, or undefined for none; numbers as `parseExact` gives them
 * @throws LamplightError `REQUEST__METHOD_NOT_FOUND`, a `PARAM__…`, or what the method refuses with
 */
export const answerCall = (
  name: string,
  params: unknown,
  context: CallContext,
): MaybePromise<FinishedJson<unknown>> => {
  const method = methods.get(name);
  if (method === undefined) throw methodNotFound(name, methodNames);
  const refuse = (error: unknown): never => {
    throw inWordsOfCaller(error, name as MethodName, params);
  };
  try {
    const parsed = parseParams(name as MethodName, params, context.profile);
    const answer = runMethod(name, method, parsed, context);
    return answer instanceof Promise ? answer.catch(refuse) : answer;
  } catch (error) {
    return refuse(error);
  }
};

/** A refusal names the contract's parameter; the caller knows it by its position, or by the name they gave. */
const inWordsOfCaller = (error: unknown, method: MethodName, params: unknown): unknown => {
  if (!isLamplightError(error, "PARAM__INVALID") || error.context.position !== null) return error;
  const [root, ...rest] = error.context.parameter.split(".");
  const specs = contractMethods[method].params;
  const index = specs.findIndex((spec) => spec.name === root);
  if (index < 0) return error;
  const { byNameOnly, aliases } = specs[index]!;
  if (Array.isArray(params)) {
    if (byNameOnly) return error;
    return new LamplightError("PARAM__INVALID", { ...error.context, position: index + 1 }, { cause: error });
  }
  const named = (params ?? {}) as { readonly [name: string]: unknown };
  const given = aliases.find((alias) => (named[alias] ?? null) !== null);
  if (given === undefined) return error;
  const parameter = [given, ...rest].join(".");
  return new LamplightError("PARAM__INVALID", { ...error.context, parameter }, { cause: error });
};

/**
 * `answerCall` as a promise of text: for callers to whom a turn of the event loop is nothing.
 *
 * ```ts
 * const views = new RequestViews(viewSource);
 * const settings = createMethodSettings({ apiVersion: "1.0.0" });
 * const asset = await callMethod("getAsset", [id], { views, settings, profile: "spec" });
 * views.close();
 * ```
 */
export const callMethod = async (name: string, params: unknown, context: CallContext): Promise<string> =>
  String(await answerCall(name, params, context));
