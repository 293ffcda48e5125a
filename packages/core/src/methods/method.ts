import type { MethodName, MethodTypes } from "@lamplight/contract";
import type { MaybePromise } from "../domain/address.ts";
import type { FinishedJson } from "../json/json-bytes.ts";
import type { CallContext } from "./call-context.ts";

/**
 * One method: checked parameters in, the finished JSON of `result` out, at once where the store answers at once.
 * Finished, because stored documents are spliced as they are and u64 must stay exact.
 */
export type Method<Params, Result> = (
  params: Params,
  context: CallContext,
) => MaybePromise<FinishedJson<Result>>;

/** Every method of the contract with its parameters and its result. One that is missing is a compile error. */
export type MethodTable = {
  readonly [Name in MethodName]: Method<MethodTypes[Name]["params"], MethodTypes[Name]["result"]>;
};
