import { type ServiceError, status } from "@grpc/grpc-js";
import type { Slot } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { replayMarginSlots } from "./limits.ts";

/** What the end of a stream means, and what the next one should do about it. */
export interface StreamEnd {
  readonly problem: LamplightError;
  /** Where replay begins when the server has less than was asked for; null = where we ask, "live" = it has none. */
  readonly replayFrom: Slot | "live" | null;
  /** Whether the server said no to us: it may pass, but hardly in a moment. */
  readonly wasRefused: boolean;
  /** Why no connection came about; null = the server answered. */
  readonly unreachable: string | null;
}

export interface StreamEndContext {
  /** For people, without anything secret. */
  readonly url: string;
  /** Servers may quote the one they refuse: it is never logged or shown. */
  readonly token: string | null;
  /** Whether the server has just refused what it named as its oldest slot. */
  readonly hasMovedOn: boolean;
  /** Whether some stream reported something: one proxy out of order, or a provider's bad hour, must not end what worked. */
  readonly hasWorked: boolean;
}

export const understandEnd = (
  error: unknown,
  { url, token, hasMovedOn, hasWorked }: StreamEndContext,
): StreamEnd => {
  if (isLamplightError(error))
    return { problem: error, replayFrom: null, wasRefused: false, unreachable: null };
  const { code, details = "", message } = error as Partial<ServiceError> & Error;
  const reason = redact(details === "" ? message : details, token);
  const isRefused =
    code === status.UNAUTHENTICATED || code === status.PERMISSION_DENIED || code === status.INVALID_ARGUMENT;
  const name = isRefused && !hasWorked ? "SOURCE__REFUSED" : "SOURCE__LOST";
  const problem = new LamplightError(name, { url, reason }, { cause: error });
  return {
    problem,
    replayFrom: isRefused ? null : replayFromOf(code, reason, hasMovedOn),
    wasRefused: isRefused,
    unreachable: code === status.UNAVAILABLE ? reason : null,
  };
};

const replayFromOf = (
  code: status | undefined,
  reason: string,
  hasMovedOn: boolean,
): StreamEnd["replayFrom"] => {
  if (code === status.OUT_OF_RANGE) {
    const oldest = /last available: (\d+)/u.exec(reason)?.[1];
    if (oldest === undefined) return "live";
    // Each slot that is left out may be one that nothing else brings.
    return Number(oldest) + (hasMovedOn ? replayMarginSlots : 0);
  }
  return /from_slot is not supported/u.test(reason) ? "live" : null;
};

const redact = (text: string, token: string | null): string =>
  token === null || token === "" ? text : text.replaceAll(token, "…");
