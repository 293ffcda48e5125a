import type { UnfinishedAnswers } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Limits } from "./limits.ts";
import type { ServerEvents } from "./log/server-events.ts";
import { type Holder, SharedBound } from "./shared-bound.ts";

/** What callers hold of a server together, over all connections. */
export class Owed {
  /** Answers that callers have not received yet. */
  readonly bytes: SharedBound;
  /** Requests that were read and not started. */
  readonly requests: SharedBound;
  /** Requests that Node has parsed of connections that were refused for one request too many. They take no place of others. */
  refusedRequests = 0;
  /** Bodies of calls that are being received, or are not answered. */
  readonly bodyBytes: SharedBound;

  constructor({ owedBytes, waitingRequests, bodiesBytes }: OwedLimits) {
    this.bytes = new SharedBound(owedBytes);
    this.requests = new SharedBound(waitingRequests);
    this.bodyBytes = new SharedBound(bodiesBytes);
  }

  /** Whether a caller has as many answers to read as it may. */
  isFullFor(holder: Holder): boolean {
    return !this.bytes.hasRoom(holder, 1);
  }
}

export type OwedLimits = Pick<Limits, "bodiesBytes" | "owedBytes" | "waitingRequests">;

/** Answers that the calls of one request are putting together count with those that wait to be read. */
export class OwedUnfinished implements UnfinishedAnswers {
  readonly #owed: Owed;
  readonly #events: ServerEvents;
  readonly #holder: Holder;

  constructor(owed: Owed, events: ServerEvents, holder: Holder) {
    this.#owed = owed;
    this.#events = events;
    this.#holder = holder;
  }

  add(bytes: number, own: number): void {
    const owed = this.#owed.bytes;
    const hasRoom = owed.hasRoomForBytes(this.#holder, bytes, own - bytes);
    owed.add(this.#holder, bytes);
    if (hasRoom) return;
    this.#events.note("overOwed", { owedBytes: owed.held });
    throw new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
  }

  remove(bytes: number): void {
    this.#owed.bytes.remove(this.#holder, bytes);
  }
}
