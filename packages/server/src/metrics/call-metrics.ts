import type { MetricFamily } from "@lamplight/core";

import type { RequestObserver, RequestRecord, WaitReason } from "../observe/request-record.ts";
import type { CallReport } from "../rpc/observer.ts";
import { Tally } from "./tally.ts";
import { Timing } from "./timing.ts";

/** Errors that are refusals, which no event of the server counts: HTTP status, and the label of the reason. */
const refusals: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  STORE__BUSY: ["503", "read_views"],
  STORE__LOADING: ["503", "loading"],
  STORE__UNREACHABLE: ["503", "store_unreachable"],
  STORE__REPLACED: ["503", "store_replaced"],
  CHAIN__FINALITY_STALLED: ["503", "finality_stalled"],
  REQUEST__KEY_NOT_ALLOWED: ["403", "key_method"],
  REQUEST__RATE: ["429", "key_rate"],
  REQUEST__QUOTA: ["429", "key_quota"],
};

/**
 * Counts requests and calls of one thread. Labels have few values: a method that is not ours is `unknown`, and no label comes from a
 * caller.
 *
 * ```ts
 * const metrics = new CallMetrics();
 * const observe = (report: CallReport) => metrics.onCall(report);
 * await startServer({ viewSource, keys: ["demo"], requests: metrics, observe });
 * console.log(metrics.families().map(({ name }) => name));
 * ```
 */
export class CallMetrics implements RequestObserver {
  readonly #calls = new Timing(
    "lamplight_call_duration_seconds",
    "Time from the start of a call to its end, without the wait before",
    ["method", "outcome"],
  );
  readonly #requests = new Timing(
    "lamplight_http_request_duration_seconds",
    "Time from the head of a request to the end of its answer; status 0: the connection ended before",
    ["route", "status"],
  );
  readonly #waits = new Timing(
    "lamplight_call_wait_seconds",
    "Waits of requests that were admitted, each by what it was for; requests that did not wait are not counted",
    ["route", "reason"],
  );
  readonly #resultBytes = new Tally(
    "lamplight_call_result_bytes_total",
    "Size of results before compression",
    ["method", "outcome"],
  );
  readonly #answerBytes = new Tally("lamplight_http_answer_bytes_total", "Bytes of bodies as sent", [
    "route",
    "status",
  ]);
  readonly #errors = new Tally("lamplight_call_errors_total", "Calls that ended with an error, by its name", [
    "method",
    "error",
  ]);
  readonly #refusals = new Tally(
    "lamplight_refusals_total",
    "Requests, connections and calls of batches that were refused, by reason and HTTP status of such a refusal",
    ["status", "reason"],
  );

  onCall({ method, durationMs, outcome, error, bytes }: CallReport): void {
    const name = method ?? "unknown";
    this.#calls.observe(name, outcome, durationMs / 1000);
    this.#resultBytes.add(name, outcome, bytes);
    if (error === null) return;
    this.#errors.add(name, error, 1);
    const refusal = refusals[error];
    if (refusal !== undefined) this.#refusals.add(...refusal, 1);
  }

  onWait({ route }: RequestRecord, reason: WaitReason, waitMs: number): void {
    this.#waits.observe(route, reason, waitMs / 1000);
  }

  onEnd({ route, status, durationMs, bytes }: RequestRecord): void {
    const statusText = String(status);
    this.#requests.observe(route, statusText, durationMs / 1000);
    this.#answerBytes.add(route, statusText, bytes);
  }

  onUnreadable(status: number): void {
    this.#requests.observe("other", String(status), 0);
  }

  /** The metrics as plain data. */
  families(): readonly MetricFamily[] {
    return [
      this.#calls,
      this.#requests,
      this.#waits,
      this.#resultBytes,
      this.#answerBytes,
      this.#errors,
      this.#refusals,
    ].map(({ family }) => family);
  }
}
