import { type FinishedJson, JsonBytes, type MaybePromise, type RoundObserver, turns } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import { GatedRequest, type GatedRequestParts } from "../gate/gated-request.ts";
import type { KeyCharge } from "../gate/key-meter.ts";
import type { Holder } from "../gate/shared-bound.ts";
import type { Limits } from "../limits.ts";
import type { Log } from "../log/log.ts";
import type { StoreDamage } from "../readiness/store-damage.ts";
import { LARGE_BODY_CHARS } from "../slices.ts";
import { type CallerError, toCallerError } from "./caller-error.ts";
import { bodyOf, errorReply, piecesOf, type Reply, type ReplyBody, resultReply } from "./envelope.ts";
import { type Outcome, outcomeOf } from "../observe/outcome.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import type { CallObserver, CallReport } from "./observer.ts";
import { type Calls, invalidRequest, type RpcRequest } from "./read-calls.ts";
import type { StrictRouter } from "./strict-router.ts";

/** Calls of one batch in progress, without `getAsset`. An account may have 10 MiB, and a list any number of rows. */
const CALLS_AT_ONCE = 8;
/** The method of which all calls of a batch run side by side: a store reads small documents together, and large ones one at a time. */
const togetherText = "getAsset";

type RpcCall = RpcRequest & { readonly kind: "call" };

export interface AnswerParts extends GatedRequestParts {
  readonly router: StrictRouter;
  readonly limits: Limits;
  readonly log: Log;
  readonly damage: StoreDamage;
  /** Calls that take so long are logged. */
  readonly slowCallMs: number;
  readonly observe: CallObserver | null;
}

/**
 * A request that answers its calls, a batch or a single one, and replies at most once: not to a caller that has left.
 * The views stay open until the last call has settled, even when the caller was answered before (`giveUp`).
 */
export abstract class AnsweredRequest extends GatedRequest {
  /** Whether rpc.discover has been answered: the contract is large, and the same for every call of a batch. */
  isDescribed = false;
  readonly #parts: AnswerParts;
  /** None before the body was read. */
  #entries: readonly RpcRequest[] = [];
  #isBatch = false;
  /** The charge to its key; null where that has no limits. */
  #charge: KeyCharge | null = null;
  #replies: (ReplyBody | null)[] = [];
  #next = 0;
  #underWay = 0;
  #togetherUnderWay = 0;
  /** When each call began that is under way, by its index; made with the first. */
  #startedAt: Map<number, number> | null = null;
  #isWaiting = false;
  #wasStarted = false;
  #replyChars = 0;
  #refusal: CallerError | null = null;
  #isOver = false;
  /** Name of the first error. */
  #error: string | null = null;

  constructor(parts: AnswerParts, holder: Holder, record: RequestRecord | null) {
    super(parts, holder, record);
    this.#parts = parts;
  }

  /** Where the caller reached us, ending in its key: the server address in an answer to rpc.discover. */
  abstract endpoint(): string;

  /** Called at most once. */
  protected abstract reply(reply: Reply): void;

  /** Takes the calls that were read: they can be started. */
  protected setCalls({ entries, isBatch }: Calls, charge: KeyCharge | null): void {
    if (this.record !== null) this.record.request = this;
    this.isAlone = entries.length === 1;
    this.#entries = entries;
    this.#isBatch = isBatch;
    this.#charge = charge;
    this.#replies = entries.length === 1 ? [null] : Array.from({ length: entries.length }, () => null);
    const refusals = charge?.refusals ?? null;
    const admitted = refusals === null ? entries : entries.filter((_, index) => refusals[index] === null);
    this.kind = this.#parts.router.kindOf(admitted);
  }

  override begin(): boolean {
    if (!this.#wasStarted) {
      this.#wasStarted = true;
      this.record?.start();
    }
    if (this.#isOver) this.#next = this.#entries.length;
    this.#run();
    return this.#underWay === 0 && !this.#isWaiting;
  }

  protected override refuse(error: LamplightError): void {
    this.#wasStarted = true;
    for (let index = 0; !this.#isOver && index < this.#entries.length; index++) {
      const entry = this.#entries[index]!;
      if (entry.kind === "call") this.#refuse(index, entry, error);
      else this.#start(index);
    }
    this.#next = this.#entries.length;
    this.#finish();
  }

  #run(): void {
    while (!this.#isOver && this.#next < this.#entries.length && this.#mayStartNext()) {
      // The queue, which starts the first one, has just asked.
      if (this.#next > 0 && turns.isUsedUp()) return this.#runLater();
      this.#start(this.#next++);
    }
    if (this.#next === this.#entries.length && this.#underWay === 0 && !this.#isWaiting) this.#finish();
  }

  #mayStartNext(): boolean {
    const next = this.#entries[this.#next]!;
    const isTogether = next.kind === "call" && next.method === togetherText;
    return isTogether || this.#underWay - this.#togetherUnderWay < CALLS_AT_ONCE;
  }

  /** Lets other callers have their turn before the rest of the batch. Running calls may end in the meantime. */
  #runLater(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    turns.later(() => {
      this.#isWaiting = false;
      this.begin();
    });
  }

  /** The time is over: calls without an answer are refused, and what they still do is cancelled. */
  protected giveUp(): void {
    if (this.#isOver || this.#entries.length === 0) return;
    const { callTimeoutMs } = this.#parts.limits;
    for (let index = 0; index < this.#entries.length; index++) {
      const entry = this.#entries[index]!;
      if (this.#replies[index] !== null) continue;
      if (entry.kind !== "call") {
        this.#start(index);
        continue;
      }
      const error = new LamplightError("QUERY__OVER_BUDGET", {
        reason: `no answer within ${callTimeoutMs} ms`,
        cheaper: "ask for less per call",
      });
      this.#settle(index, entry, this.#toCallerError(error, entry.method), callTimeoutMs, "failed");
    }
    this.#reply();
    this.cancel();
  }

  /** The caller has disconnected: nothing is sent. */
  protected abandon(): void {
    if (!this.#isOver) this.#reportGone();
    this.#isOver = true;
    this.#release();
    this.cancel();
  }

  #reportGone(): void {
    const nowMs = performance.now();
    for (const [index, startedAt] of this.#startedAt ?? []) {
      const method = this.#knownMethod(this.#entries[index] as RpcCall);
      this.#report({ method, durationMs: nowMs - startedAt, outcome: "gone", error: null, bytes: 0 });
    }
  }

  #knownMethod({ method }: RpcCall): string | null {
    return this.#parts.router.isMethodImplemented(method) ? method : null;
  }

  #start(index: number): void {
    const entry = this.#entries[index]!;
    if (entry.kind === "notification") return;
    if (entry.kind === "invalid") {
      const callerError = this.#toCallerError(invalidRequest(entry), null);
      this.#replies[index] = errorReply(entry.id, callerError);
      this.#error ??= callerError.name;
      return;
    }
    const refusal = this.#charge?.refusals?.[index] ?? null;
    if (refusal !== null) return this.#refuse(index, entry, refusal);
    if (this.#refuseOverBounds(index, entry)) return;
    const startedAt = performance.now();
    const answer = this.#ask(entry);
    if (!(answer instanceof Promise))
      return this.#settle(index, entry, answer, performance.now() - startedAt);
    this.#count(entry, 1);
    (this.#startedAt ??= new Map()).set(index, startedAt);
    answer.then(
      (result) => this.#onSettled(index, entry, result, startedAt),
      (error: unknown) => this.#onRefused(index, entry, error, startedAt),
    );
  }

  override roundObserver(method: string): RoundObserver | null {
    return this.#parts.router.roundObserver(method, this.record);
  }

  override noteLargeRead(method: string, bytes: number): void {
    this.#charge?.addRead(method, bytes);
  }

  #count({ method }: RpcCall, more: 1 | -1): void {
    this.#underWay += more;
    if (method === togetherText) this.#togetherUnderWay += more;
  }

  #ask(entry: RpcCall): MaybePromise<FinishedJson<unknown>> | CallerError {
    try {
      return this.#parts.router.answer(entry.method, entry.params, this);
    } catch (error) {
      return this.#toCallerError(error, entry.method);
    }
  }

  #onRefused(index: number, entry: RpcCall, error: unknown, startedAt: number): void {
    // The error of a call whose caller has disconnected is expected, and is dropped.
    if (this.#isOver) this.#onSettled(index, entry, nothing, startedAt);
    else this.#onSettled(index, entry, this.#toCallerError(error, entry.method), startedAt);
  }

  #onSettled(
    index: number,
    entry: RpcCall,
    outcome: FinishedJson<unknown> | CallerError,
    startedAt: number,
  ): void {
    this.#count(entry, -1);
    this.#startedAt!.delete(index);
    if (!this.#isOver) this.#settle(index, entry, outcome, performance.now() - startedAt);
    if (this.#isOver) this.#next = this.#entries.length;
    this.#run();
  }

  #settle(
    index: number,
    entry: RpcCall,
    outcome: FinishedJson<unknown> | CallerError,
    durationMs: number,
    as: Outcome | null = null,
  ): void {
    if (typeof outcome === "string" || outcome instanceof JsonBytes) {
      // Calls that ran side by side may exceed a bound together.
      if (this.#refuseOverBounds(index, entry)) return;
      this.#replies[index] = resultReply(entry.id, outcome);
      this.#replyChars += outcome.length;
      // Answers wait here for the rest of their batch; after that they are counted where they wait to be read.
      this.keepAnswer(outcome.length);
      this.#report({ method: entry.method, durationMs, outcome: "ok", error: null, bytes: outcome.length });
      return;
    }
    // Only the busy calls of a batch, and those over a limit, are refused; what was answered need not be asked again.
    if (outcome.httpStatus !== 200 && !(this.#isBatch && outcome.isBusy)) this.#refusal = outcome;
    this.#replies[index] = errorReply(entry.id, outcome);
    const { name } = outcome;
    this.#error ??= name;
    const method = this.#knownMethod(entry);
    this.#report({ method, durationMs, outcome: as ?? outcomeOf(name), error: name, bytes: 0 });
  }

  #report(report: CallReport): void {
    const { log, slowCallMs, observe } = this.#parts;
    const { method, durationMs, outcome, error } = report;
    if (durationMs >= slowCallMs)
      log.warn({ method, durationMs: Math.round(durationMs), outcome, error }, "slow call");
    observe?.(report);
  }

  /** Refuses a call where its batch has as many answers as it may have; whether it is refused. */
  #refuseOverBounds(index: number, entry: RpcCall): boolean {
    if (this.#replyChars > this.#parts.limits.batchReplyChars) this.#refuseRest(index, entry);
    else if (this.#replyChars > 0 && !this.hasRoom(1)) this.#refuse(index, entry, this.overOwed());
    else return false;
    return true;
  }

  #refuseRest(index: number, entry: RpcCall): void {
    const error = new LamplightError("QUERY__OVER_BUDGET", {
      reason: `the answers of this batch are over ${this.#parts.limits.batchReplyChars} characters`,
      cheaper: "smaller batches",
    });
    this.#refuse(index, entry, error);
  }

  #refuse(index: number, entry: RpcCall, error: LamplightError): void {
    this.#settle(index, entry, this.#toCallerError(error, entry.method), 0);
  }

  #release(): void {
    this.removeAnswer(this.#replyChars);
    this.#replyChars = 0;
  }

  #finish(): void {
    if (!this.#isOver) this.#reply();
    this.close();
    this.dropPlaces();
    this.#charge?.end();
  }

  #reply(): void {
    this.#isOver = true;
    if (this.record !== null) this.record.error = this.#error;
    const isLarge = this.#replyChars > LARGE_BODY_CHARS;
    this.#release();
    const refusal = this.#refusal;
    if (refusal !== null) {
      return this.reply({ status: refusal.httpStatus, body: errorReply("null", refusal), refusal });
    }
    const answered = this.#replies.filter((reply) => reply !== null);
    const body = (isLarge ? piecesOf : bodyOf)(answered, this.#isBatch);
    this.reply({ status: 200, body, refusal: null });
  }

  #toCallerError(error: unknown, method: string | null): CallerError {
    this.#parts.damage.note(error);
    return toCallerError(error, method, this.#parts.log, this.#isBatch);
  }
}

/** The outcome of a call that no one waits for. */
const nothing = new JsonBytes<unknown>([]);
