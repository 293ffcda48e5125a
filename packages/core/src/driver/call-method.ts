import * as contract from "@lamplight/contract";
import type { FinishedJson } from "../json/json-bytes.ts";
import { getAccountInfo } from "../methods/getAccountInfo.ts";
import { getAsset } from "../methods/getAsset.ts";
import { getLargestAccounts } from "../methods/getLargestAccounts.ts";
import { getNftEditions } from "../methods/getNftEditions.ts";
import { getTokenAccountsByDelegate } from "../methods/getTokenAccountsByDelegate.ts";
import { getTokenSupply } from "../methods/getTokenSupply.ts";
import type { MethodTable } from "../methods/method.ts";
import { searchAssets } from "../methods/searchAssets.ts";
import type { MaybePromise } from "../ports/read-view.ts";
import type { CallContext } from "./call-context.ts";
import { ContractMethods } from "./contract-methods.ts";

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

/** The methods of the contract, to be called by wire name. */
const contractMethods = ContractMethods.of(contract, methodTable);

export const methodNames: readonly string[] = contractMethods.names;

/** Answers one call of the contract, as `ContractMethods` does. */
export const answerCall = (
  name: string,
  params: unknown,
  context: CallContext,
): MaybePromise<FinishedJson<unknown>> => contractMethods.answer(name, params, context);

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
