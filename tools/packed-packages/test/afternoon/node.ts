// A running process of ours, as an operator sees it: its log, `/readyz` and `/metrics`.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Metrics } from "./metrics.ts";
import { until } from "./until.ts";

/** The part of `/readyz` that the steps read. */
export interface Readiness {
  readonly status: string;
  readonly reason?: string | null;
  readonly finalizedSlot?: number;
  readonly derivation?: { readonly rules: number; readonly derivedShare: number };
  /** That of the chain, where the process serves too. */
  readonly follow?: Readiness;
}

export interface Seen {
  readonly isReady: boolean;
  /** The reason, or the status where there is none. */
  readonly word: string;
  readonly body: Readiness;
  readonly metrics: Metrics;
}

/** Lines of a process that hangs, in the error. */
const LINES_SHOWN = 10;

const metricsPattern = /(http:\/\/127\.0\.0\.1:\d+)\/metrics/u;
const servingPattern = /"url":"(http:[^"]+)","store"/u;

export class Node {
  readonly child: ChildProcess;
  readonly said: string[] = [];

  constructor(child: ChildProcess) {
    this.child = child;
    for (const stream of [child.stdout!, child.stderr!])
      createInterface(stream).on("line", (line) => this.said.push(line));
  }

  /** The URL for callers. */
  get url(): Promise<string> {
    return this.#find(servingPattern);
  }

  /** Resolves once `/readyz` and the metrics agree on the reason why it is not ready. */
  sees(word: string): Promise<Seen> {
    return this.when((seen) => seen.word === word);
  }

  seesReady(): Promise<Seen> {
    return this.when(({ isReady }) => isReady);
  }

  /** Resolves once the sum of a metric is right. */
  counts(name: string, isRight: (value: number) => boolean): Promise<Seen> {
    return this.when(({ metrics }) => isRight(metrics.find(name) ?? NaN));
  }

  when(holds: (seen: Seen) => boolean): Promise<Seen> {
    let last: Seen | null = null;
    const describe = (): string =>
      `${JSON.stringify(last?.body)}\n${this.said.slice(-LINES_SHOWN).join("\n")}`;
    return until(async () => {
      const seen = await this.look();
      last = seen ?? last;
      return seen !== null && holds(seen) ? seen : null;
    }, describe);
  }

  /** Null where `/readyz` and the metrics differ: something changed between the two. */
  async look(): Promise<Seen | null> {
    const url = await this.#find(metricsPattern);
    const readyz = await fetch(`${url}/readyz`);
    const body = (await readyz.json()) as Readiness;
    const metrics = new Metrics(await (await fetch(`${url}/metrics`)).text());
    const labels = metrics.labelsOf("lamplight_readiness");
    const isReady = readyz.status === 200;
    const isSame =
      metrics.find("lamplight_ready") === (isReady ? 1 : 0) &&
      labels["status"] === body.status &&
      labels["reason"] === (body.reason ?? "");
    return isSame ? { isReady, word: body.reason ?? body.status, body, metrics } : null;
  }

  #find(pattern: RegExp): Promise<string> {
    return until(() => {
      for (const line of this.said) {
        const [, found] = pattern.exec(line) ?? [];
        if (found !== undefined) return found;
      }
      this.#assertRuns();
      return null;
    });
  }

  #assertRuns(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`a process ended (${exitCode ?? signalCode}) and said:\n${this.said.join("\n")}`);
  }

  /** Stops it as a service manager does. @returns its exit code */
  async stop(): Promise<number | null> {
    this.#assertRuns();
    const ended = once(this.child, "exit");
    this.child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    return code;
  }
}
