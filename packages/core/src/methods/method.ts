import type { MaybePromise } from "../domain/address.ts";
import type { CallContext } from "./call-context.ts";

/**
 * One method: checked parameters in, the finished JSON text of `result` out, at once where the store answers at once.
 * Text, because stored documents are spliced as they are and u64 must stay exact.
 */
export type Method<Params> = (params: Params, context: CallContext) => MaybePromise<string>;
