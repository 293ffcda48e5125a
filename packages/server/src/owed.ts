import type { UnfinishedAnswers } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { ServerEvents } from "./log/server-events.ts";

/** Bytes of answers that callers have not received yet, over all connections of a server. */
export class Owed {
  /** Answers handed to connections whose callers have not read them. */
  bytes = 0;
  /** Requests that were read and not started. */
  requests = 0;
  /** Bodies of calls that are being received, or are not answered. */
  bodyBytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isFull(): boolean {
    return this.bytes >= this.#bytesMax;
  }

  /** An answer larger than the whole budget is sent where nothing else is owed. */
  hasRoomFor(bytes: number): boolean {
    return this.bytes === 0 || this.bytes + bytes <= this.#bytesMax;
  }
}

/** Answers that calls are putting together count with those that wait to be read. */
export class OwedUnfinished implements UnfinishedAnswers {
  readonly #owed: Owed;
  readonly #events: ServerEvents;

  constructor(owed: Owed, events: ServerEvents) {
    this.#owed = owed;
    this.#events = events;
  }

  add(bytes: number, own: number): void {
    const owed = this.#owed;
    owed.bytes += bytes;
    if (!owed.isFull || owed.bytes <= own) return;
    this.#events.note("overOwed", { owedBytes: owed.bytes });
    throw new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
  }

  remove(bytes: number): void {
    this.#owed.bytes -= bytes;
  }
}
