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
import type { CallRequest } from "./call-request.ts";
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
  request: CallRequest,
): MaybePromise<FinishedJson<unknown>> => contractMethods.answer(name, params, request);

/**
 * `answerCall` as a promise of text: for callers to whom a turn of the event loop is nothing.
 *
 * ```ts
 * const settings = createMethodSettings({ apiVersion: "1.0.0" });
 * const request = new CallRequest({ viewSource, settings, isAlone: true });
 * const asset = await callMethod("getAsset", [id], request);
 * request.close();
 * ```
 */
export const callMethod = async (name: string, params: unknown, request: CallRequest): Promise<string> =>
  String(await answerCall(name, params, request));
