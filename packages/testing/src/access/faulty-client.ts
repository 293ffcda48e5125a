import { setTimeout as sleep } from "node:timers/promises";
import { type CallLimits, HttpError, RpcError, type Transport } from "@lamplight/client";
import { type Fault, faultMessage, type Faults } from "../faults.ts";

/** A transport that applies the faults of the chain before it sends a call. */
export const withFaults = (transport: Transport, faults: Faults): Transport => ({
  call: async (call, limits) => {
    await delay(faults, limits);
    const fault = faults.take(call.method);
    if (fault !== null) throw errorOf(fault, call.method);
    return transport.call(call, limits);
  },
  batch: async (calls, limits) => {
    await delay(faults, limits);
    const taken = calls.map(({ method }) => faults.take(method));
    const refusal = taken.find((fault) => fault?.status !== undefined);
    if (refusal) throw errorOf(refusal, undefined);
    const reply = await transport.batch(calls, limits);
    const answers = reply.answers.map((answer, index) => {
      const fault = taken[index];
      return fault ? { ok: false as const, error: errorOf(fault, calls[index]!.method) as RpcError } : answer;
    });
    return { ...reply, answers };
  },
});

const delay = async ({ delayMs }: Faults, { signal }: CallLimits): Promise<void> => {
  if (delayMs > 0) await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
};

const errorOf = (fault: Fault, method: string | undefined): HttpError | RpcError => {
  const message = faultMessage(fault);
  if (fault.code !== undefined) return new RpcError({ code: fault.code, message }, { method });
  const retryAfter = fault.retryAfter === undefined ? null : String(fault.retryAfter);
  return new HttpError(`HTTP ${fault.status}: ${message}`, { status: fault.status!, retryAfter, method });
};
