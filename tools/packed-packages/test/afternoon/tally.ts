import { expect } from "vitest";
import type { Metrics } from "./metrics.ts";

/** The answers that callers got, by name of the key and HTTP status, to compare with what the server counts. */
export class Tally {
  readonly #counts = new Map<string, number>();
  /** Calls by key that the limits of the key let through. */
  readonly admitted = new Map<string, number>();
  /** The admitted calls of processes that have ended. */
  #endedProcesses = new Map<string, number>();

  note(key: string, status: number): void {
    const name = `${key} ${status}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (![401, 403, 429].includes(status)) this.admitted.set(key, (this.admitted.get(key) ?? 0) + 1);
  }

  count(key: string, status: number): number {
    return this.#counts.get(`${key} ${status}`) ?? 0;
  }

  /** The next metrics are those of a new process. */
  restart(): void {
    this.#endedProcesses = new Map(this.admitted);
    this.#counts.clear();
  }

  /** The server counts what its callers saw, call by call. No call may be on its way. */
  expectCounted(metrics: Metrics): void {
    const ofStatus = (status: number): number =>
      [...this.#counts].reduce((sum, [name, count]) => sum + (name.endsWith(` ${status}`) ? count : 0), 0);
    const seen = {
      admitted: Object.fromEntries(
        [...this.admitted].map(([key, count]) => [key, count - (this.#endedProcesses.get(key) ?? 0)]),
      ),
      wrongKeys: ofStatus(401),
      overLimits: ofStatus(429),
      notAllowed: ofStatus(403),
    };
    const of = (name: string, labels: Readonly<Record<string, string>>) => metrics.find(name, labels) ?? 0;
    const counted = {
      admitted: Object.fromEntries(
        [...this.admitted.keys()].map((key) => [key, of("lamplight_key_requests_total", { key })]),
      ),
      wrongKeys: of("lamplight_refusals_total", { status: "401", reason: "wrong_key" }),
      overLimits:
        of("lamplight_key_refusals_total", { reason: "rate" }) +
        of("lamplight_key_refusals_total", { reason: "quota" }),
      notAllowed:
        of("lamplight_key_refusals_total", { reason: "key" }) +
        of("lamplight_refusals_total", { status: "403", reason: "key" }),
    };
    expect(counted).toEqual(seen);
  }
}
