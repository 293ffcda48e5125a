import { type ServiceError, status } from "@grpc/grpc-js";
import type { Slot, SlotRate } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { REPLAY_MARGIN_SECONDS } from "./limits.ts";

/** The meaning of a stream's end, and what the next stream must do. */
export interface StreamEnd {
  readonly problem: LamplightError;
  /** First slot of the replay if the server has less than requested; null = as requested, "live" = no replay. */
  readonly replayFrom: Slot | "live" | null;
  /** Whether the server refused us. That may be temporary, but hardly for a moment only. */
  readonly wasRefused: boolean;
  /** The reason why no connection was made; null = the server answered. */
  readonly unreachable: string | null;
}

export interface StreamEndContext {
  /** Text without secrets. */
  readonly url: string;
  /** A server may quote the token that it refuses, so it is removed from logs. */
  readonly token: string | null;
  /** Whether the server has just refused the slot that it named as its oldest. */
  readonly hasMovedOn: boolean;
  /** Whether a stream ever reported something. Then a failed proxy or provider is a temporary problem. */
  readonly hasWorked: boolean;
  readonly rate: SlotRate;
}

/** The gRPC library ends a reason with this where it has nothing to add. */
const emptyNote = /\.? Resolution note: $/u;

export const understandEnd = (
  error: unknown,
  { url, token, hasMovedOn, hasWorked, rate }: StreamEndContext,
): StreamEnd => {
  if (isLamplightError(error))
    return { problem: error, replayFrom: null, wasRefused: false, unreachable: null };
  const { code, details = "", message } = error as Partial<ServiceError> & Error;
  const said = redact(details === "" ? message : details, token);
  const reason = said.replace(emptyNote, "");
  const isRefused =
    code === status.UNAUTHENTICATED || code === status.PERMISSION_DENIED || code === status.INVALID_ARGUMENT;
  const name = isRefused && !hasWorked ? "SOURCE__REFUSED" : "SOURCE__LOST";
  const problem = new LamplightError(name, { url, reason }, { cause: error });
  return {
    problem,
    replayFrom: isRefused
      ? null
      : replayFromOf(code, reason, hasMovedOn ? rate.slotsIn(REPLAY_MARGIN_SECONDS) : 0),
    wasRefused: isRefused,
    unreachable: code === status.UNAVAILABLE ? reason : null,
  };
};

const replayFromOf = (
  code: status | undefined,
  reason: string,
  marginSlots: number,
): StreamEnd["replayFrom"] => {
  if (code === status.OUT_OF_RANGE) {
    const oldest = /last available: (\d+)/u.exec(reason)?.[1];
    if (oldest === undefined) return "live";
    // Skips no slots without need, because nothing else may contain them.
    return Number(oldest) + marginSlots;
  }
  return /from_slot is not supported/u.test(reason) ? "live" : null;
};

const redact = (text: string, token: string | null): string =>
  token === null || token === "" ? text : text.replaceAll(token, "…");
