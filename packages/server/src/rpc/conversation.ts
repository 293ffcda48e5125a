import type { MaybePromise } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Limits } from "../limits.ts";
import type { Log } from "../log/log.ts";
import { type CallerError, toCallerError } from "./caller-error.ts";
import type { Entry } from "./envelope.ts";
import type { CallObserver } from "./observer.ts";
import { errorReply, resultReply } from "./reply-text.ts";
import type { RequestContext } from "./request-context.ts";
import type { StrictRouter } from "./strict-router.ts";

/** What the calls of one HTTP request came to. */
export interface Reply {
  readonly status: number;
  /** Null when only notifications were sent. */
  readonly body: string | null;
  /** A refusal of the request as a whole (loading, busy); null otherwise. */
  readonly refusal: CallerError | null;
}

type CallEntry = Entry & { readonly kind: "call" };

export interface ConversationParts {
  readonly router: StrictRouter;
  readonly limits: Limits;
  readonly log: Log;
  readonly observe: CallObserver;
}

/** Calls of a batch that need not wait are answered in one turn of the event loop for no longer than this. */
const TURN_MS_MAX = 10;

/**
 * Answers the calls of one request, a batch or a single one, and hands over one reply, exactly once.
 * The views stay open until the last call has settled, even when the caller was answered before (`giveUp`).
 */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #context: RequestContext;
  readonly #entries: readonly Entry[];
  readonly #isBatch: boolean;
  readonly #done: (reply: Reply) => void;
  readonly #texts: (string | null)[];
  #next = 0;
  #underWay = 0;
  #replyChars = 0;
  #refusal: CallerError | null = null;
  #isOver = false;

  constructor(
    parts: ConversationParts,
    context: RequestContext,
    entries: readonly Entry[],
    isBatch: boolean,
    done: (reply: Reply) => void,
  ) {
    this.#parts = parts;
    this.#context = context;
    this.#entries = entries;
    this.#isBatch = isBatch;
    this.#done = done;
    this.#texts = entries.length === 1 ? [null] : Array.from({ length: entries.length }, () => null);
  }

  run(): void {
    const { batchConcurrency } = this.#parts.limits;
    const turnEndsAt = this.#isBatch ? performance.now() + TURN_MS_MAX : Number.POSITIVE_INFINITY;
    while (!this.#isOver && this.#next < this.#entries.length && this.#underWay < batchConcurrency) {
      this.#start(this.#next++);
      if (this.#isBatch && performance.now() > turnEndsAt) return this.#runLater();
    }
    if (this.#next === this.#entries.length && this.#underWay === 0) this.#finish();
  }

  /** Lets other requests have their turn before the rest of a large batch. */
  #runLater(): void {
    this.#underWay++;
    setImmediate(() => {
      this.#underWay--;
      if (this.#isOver) this.#next = this.#entries.length;
      this.run();
    });
  }

  /** The time is over: calls without an answer are refused, and what they still do is cancelled. */
  giveUp(): void {
    if (this.#isOver) return;
    const { callTimeoutMs } = this.#parts.limits;
    for (let index = 0; index < this.#entries.length; index++) {
      const entry = this.#entries[index]!;
      if (this.#texts[index] !== null || entry.kind !== "call") continue;
      const error = new LamplightError("QUERY__OVER_BUDGET", {
        reason: `no answer within ${callTimeoutMs} ms`,
        cheaper: "ask for less per call",
      });
      this.#settle(index, entry, this.#toCallerError(error, entry.method), callTimeoutMs);
    }
    this.#reply();
    this.#context.cancel();
  }

  /** The caller is gone: nothing is replied. */
  abandon(): void {
    this.#isOver = true;
    this.#context.cancel();
  }

  #start(index: number): void {
    const entry = this.#entries[index]!;
    if (entry.kind === "notification") return;
    if (entry.kind === "invalid") {
      const error = new LamplightError("REQUEST__INVALID", { reason: entry.reason });
      this.#texts[index] = errorReply(entry.id, this.#toCallerError(error, null));
      return;
    }
    if (this.#replyChars > this.#parts.limits.batchReplyChars) return this.#refuseRest(index, entry);
    const startedAt = performance.now();
    const answer = this.#ask(entry);
    if (!(answer instanceof Promise))
      return this.#settle(index, entry, answer, performance.now() - startedAt);
    this.#underWay++;
    answer.then(
      (resultText) => this.#onSettled(index, entry, resultText, startedAt),
      (error: unknown) => this.#onRefused(index, entry, error, startedAt),
    );
  }

  #ask(entry: CallEntry): MaybePromise<string> | CallerError {
    try {
      return this.#parts.router.answer(entry.method, entry.params, this.#context);
    } catch (error) {
      return this.#toCallerError(error, entry.method);
    }
  }

  #onRefused(index: number, entry: CallEntry, error: unknown, startedAt: number): void {
    // What a call that nobody waits for says of its end is no error of ours.
    if (this.#isOver) this.#onSettled(index, entry, "", startedAt);
    else this.#onSettled(index, entry, this.#toCallerError(error, entry.method), startedAt);
  }

  #onSettled(index: number, entry: CallEntry, outcome: string | CallerError, startedAt: number): void {
    this.#underWay--;
    if (!this.#isOver) this.#settle(index, entry, outcome, performance.now() - startedAt);
    if (this.#isOver) this.#next = this.#entries.length;
    this.run();
  }

  #settle(index: number, entry: CallEntry, outcome: string | CallerError, durationMs: number): void {
    const { router, observe } = this.#parts;
    if (typeof outcome === "string") {
      this.#texts[index] = resultReply(entry.id, outcome);
      this.#replyChars += outcome.length;
      observe({ method: entry.method, durationMs, error: null });
      return;
    }
    if (outcome.httpStatus !== 200) this.#refusal = outcome;
    this.#texts[index] = errorReply(entry.id, outcome);
    const method = router.isMethodImplemented(entry.method) ? entry.method : null;
    observe({ method, durationMs, error: outcome.name });
  }

  #refuseRest(index: number, entry: CallEntry): void {
    const error = new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the answers of this batch are over ${this.#parts.limits.batchReplyChars} characters`,
      cheaper: "smaller batches",
    });
    this.#settle(index, entry, this.#toCallerError(error, entry.method), 0);
  }

  #finish(): void {
    if (!this.#isOver) this.#reply();
    this.#context.views.close();
  }

  #reply(): void {
    this.#isOver = true;
    const refusal = this.#refusal;
    if (refusal !== null) {
      return this.#done({ status: refusal.httpStatus, body: errorReply("null", refusal), refusal });
    }
    this.#done({ status: 200, body: this.#body(), refusal: null });
  }

  #body(): string | null {
    if (!this.#isBatch) return this.#texts[0]!;
    const answered = this.#texts.filter((text) => text !== null);
    return answered.length === 0 ? null : `[${answered.join(",")}]`;
  }

  #toCallerError(error: unknown, method: string | null): CallerError {
    return toCallerError(error, method, this.#parts.log);
  }
}
