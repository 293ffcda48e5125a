import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { CallRequest, RoundObserver } from "@lamplight/core";

import type { Caller } from "../keys.ts";

/** What a request is for. Its path holds a key, and is in no metric, log or trace. */
export type Route = "call" | "page" | "probe" | "other";

/**
 * What the calls of a request wait for: for processor time to be started, or for a place among the read views. They wait for the
 * first place before they are started, and for further ones while they are answered.
 */
export type WaitReason = "start" | "read_view";

/** Receives what happens to requests. It is called for each of them: it must not wait or throw. */
export interface RequestObserver {
  /** The head was read. */
  onHead?(record: RequestRecord, request: IncomingMessage): void;
  /** Its calls were read. */
  onCalls?(record: RequestRecord): void;
  /** A wait is over. */
  onWait?(record: RequestRecord, reason: WaitReason, waitMs: number): void;
  /** For each call: who observes its rounds of reads; null = no observer. */
  onRound?(record: RequestRecord): RoundObserver | null;
  /** The answer is complete, or the caller has disconnected. */
  onEnd(record: RequestRecord): void;
  /** Node could not read what arrived, which belongs to no request, and was answered with this status. */
  onUnreadable?(status: number): void;
}

/** Ids of callers that are taken over: visible ASCII that no log or header has to escape. */
const requestIdPattern = /^[\w.:+/=@~-]{1,128}$/u;

/** No two threads or processes share it. */
const ownPrefix = randomBytes(6).toString("hex");
let made = 0;

const noHeaders: readonly string[] = [];

/** What is known of one HTTP request, from its head to the end of its answer. */
export class RequestRecord {
  readonly startedMs = performance.now();
  /** Headers of the answer that belong to the record, as name and value in turn. */
  headers: readonly string[] = noHeaders;
  route: Route = "other";
  /** Wire name of a single call, `batch` for several, `unknown` for no method of ours; null while no call was read. */
  method: string | null = null;
  calls = 0;
  /** Registry name of the first error or of the refusal; null for a result. */
  error: string | null = null;
  /** HTTP status; 0 where the connection ended before the answer. */
  status = 0;
  /** Bytes of the body as sent. */
  bytes = 0;
  durationMs = 0;
  /** When the whole body had arrived, as `startedMs`; null before, and without traces. */
  receivedMs: number | null = null;
  /** When the answer was finished and only had to be sent; null before, and without traces. */
  repliedMs: number | null = null;
  /** Milliseconds that its calls waited. */
  waitedMs = 0;
  caller: Caller | null = null;
  address = "";
  /** The request itself; null where no call was read. */
  request: Pick<CallRequest, "slots"> | null = null;
  readonly #observer: RequestObserver;
  #id: string | null = null;
  #queuedMs: number | null = null;
  #queuedFor: WaitReason = "start";
  #isOver = false;

  constructor(observer: RequestObserver, request: IncomingMessage) {
    this.#observer = observer;
    const given = request.headers["x-request-id"];
    if (typeof given === "string" && requestIdPattern.test(given)) {
      this.#id = given;
      this.headers = ["X-Request-Id", given];
    }
    observer.onHead?.(this, request);
  }

  /** The newest slot that its calls read; null where they read none. */
  get newestSlot(): number | null {
    const slots = this.request?.slots() ?? [];
    return slots.length === 0 ? null : Math.max(...slots);
  }

  /** The caller's `X-Request-Id`, or one of ours, which only logs and traces have: most requests need none. */
  get id(): string {
    return (this.#id ??= `${ownPrefix}-${(made += 1).toString(36)}`);
  }

  /** The whole body has arrived. */
  receive(): void {
    if (this.#observer.onRound !== undefined) this.receivedMs = performance.now();
  }

  /** The answer is finished. */
  reply(): void {
    if (this.#observer.onRound !== undefined) this.repliedMs = performance.now();
  }

  /** @param method - see the member of this name */
  noteCalls(method: string, calls: number): void {
    this.method = method;
    this.calls = calls;
    this.#observer.onCalls?.(this);
  }

  /** The observer of the rounds of a call; null = there is none. */
  roundObserver(): RoundObserver | null {
    return this.#observer.onRound?.(this) ?? null;
  }

  /** Its calls wait before they are started. */
  queue(reason: WaitReason): void {
    this.#queuedFor = reason;
    this.#queuedMs = performance.now();
  }

  /** Its calls are started. */
  start(): void {
    if (this.#queuedMs === null) return;
    this.noteWait(this.#queuedFor, performance.now() - this.#queuedMs);
    this.#queuedMs = null;
  }

  noteWait(reason: WaitReason, waitMs: number): void {
    this.waitedMs += waitMs;
    this.#observer.onWait?.(this, reason, waitMs);
  }

  /** Whether `end` was called. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The answer is complete. Further calls change nothing. */
  end(status: number, bytes: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.status = status;
    this.bytes = bytes;
    this.durationMs = performance.now() - this.startedMs;
    this.#observer.onEnd(this);
  }
}
