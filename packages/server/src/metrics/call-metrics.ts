import { Histogram, Registry } from "prom-client";
import type { MetricFamily } from "@lamplight/runtime";

import type { RequestObserver, RequestRecord, WaitReason } from "../observe/request-record.ts";
import type { CallReport } from "../rpc/observer.ts";
import { outcomeOf } from "../observe/outcome.ts";
import { Tally } from "./tally.ts";

/** Seconds: from an account that lies in memory to the longest call. */
const DURATION_BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Errors that are refusals of a whole request, which no event of the server counts. */
const refusalReasons: Readonly<Record<string, string>> = {
  STORE__BUSY: "read_views",
  STORE__LOADING: "loading",
  STORE__UNREACHABLE: "store_unreachable",
  STORE__REPLACED: "store_replaced",
  CHAIN__FINALITY_STALLED: "finality_stalled",
};

/**
 * Counts requests and calls of one thread. Labels have few values: a method that is not ours is `unknown`, and no label comes from a
 * caller.
 */
export class CallMetrics implements RequestObserver {
  readonly #registry = new Registry();
  readonly #calls: Histogram<"method" | "outcome">;
  readonly #requests: Histogram<"route" | "status">;
  readonly #waits: Histogram<"reason">;
  readonly #resultBytes: Tally;
  readonly #answerBytes: Tally;
  readonly #errors: Tally;
  readonly #refusals: Tally;

  constructor() {
    const registry = this.#registry;
    const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
      new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [registry] });
    this.#calls = histogram(
      "lamplight_call_duration_seconds",
      "Time from the start of a call to its result or error, without the wait before",
      ["method", "outcome"],
    );
    this.#requests = histogram(
      "lamplight_http_request_duration_seconds",
      "Time from the head of a request to the end of its answer; status 0: the caller left before",
      ["route", "status"],
    );
    this.#waits = histogram(
      "lamplight_call_wait_seconds",
      "Time that admitted requests waited, by what they waited for; requests that did not wait are not counted",
      ["reason"],
    );
    const tally = (name: string, help: string, labels: readonly [string, string]): Tally =>
      new Tally(registry, `lamplight_${name}_total`, help, labels);
    this.#resultBytes = tally("call_result_bytes", "Size of results before compression", [
      "method",
      "outcome",
    ]);
    this.#answerBytes = tally("http_answer_bytes", "Bytes of bodies as sent", ["route", "status"]);
    this.#errors = tally("call_errors", "Calls that ended with an error, by its name", ["method", "error"]);
    this.#refusals = tally("refusals", "Requests that were refused, by HTTP status and reason", [
      "status",
      "reason",
    ]);
  }

  onCall({ method, durationMs, error, bytes }: CallReport): void {
    const name = method ?? "unknown";
    const outcome = outcomeOf(error);
    this.#calls.observe({ method: name, outcome }, durationMs / 1000);
    this.#resultBytes.add(name, outcome, bytes);
    if (error === null) return;
    this.#errors.add(name, error, 1);
    const reason = refusalReasons[error];
    if (reason !== undefined) this.#refusals.add("503", reason, 1);
  }

  onWait(_: RequestRecord, reason: WaitReason, waitMs: number): void {
    this.#waits.observe({ reason }, waitMs / 1000);
  }

  onEnd({ route, status, durationMs, bytes }: RequestRecord): void {
    const statusText = String(status);
    this.#requests.observe({ route, status: statusText }, durationMs / 1000);
    this.#answerBytes.add(route, statusText, bytes);
  }

  onUnreadable(status: number): void {
    this.#requests.observe({ route: "other", status: String(status) }, 0);
  }

  /** The metrics as plain data. */
  async families(): Promise<readonly MetricFamily[]> {
    return (await this.#registry.getMetricsAsJSON()) as unknown as readonly MetricFamily[];
  }
}
