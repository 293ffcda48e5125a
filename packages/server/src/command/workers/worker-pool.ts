import { setTimeout as sleep } from "node:timers/promises";

import type { MetricFamily } from "@lamplight/core";

import type { ServeSettings } from "../../config/settings.ts";
import type { StoredKey } from "../../gate/key-account.ts";
import type { ReadinessAnswer, SearchReport } from "../../http/probes.ts";
import type { AccessLogSettings } from "../../log/access-settings.ts";
import type { Log } from "../../log/log.ts";
import type { ServerCounts } from "../../log/server-events.ts";
import { BackOff } from "./back-off.ts";
import type { PortHandler } from "./port-calls.ts";
import { ServerWorker } from "./server-worker.ts";
import type { RunningWorkers } from "./running-workers.ts";
import { endedFamilies, sumOfCounts, sumOfLoads } from "./sums.ts";
import type { WorkerFigures, WorkerSettings } from "./worker-messages.ts";

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly dataOf: (worker: number, port: number, kept: KeptSettings) => WorkerSettings;
  /** Those of the start. */
  readonly kept: KeptSettings;
  readonly heapMegabytes: number;
  /** Called when a worker has ended or could not start, before it is replaced. */
  readonly onEnded: (worker: number) => void;
  /** A worker that has not stopped by then hangs. */
  readonly stopMs: number;
  /** The handlers of calls from workers. */
  readonly answers: Readonly<Record<string, PortHandler>>;
  /** A cell for each worker, behind that of the main thread. */
  readonly heartbeats: Int32Array;
  readonly log: Log;
}

/** The settings that change while workers run: a worker that is replaced gets the present ones. */
export type KeptSettings = Pick<ServeSettings, "accessLog" | "keys"> & {
  readonly storedKeys: readonly StoredKey[];
};

const HEARTBEAT_MS = 1000;

/** Keeps a number of workers running. A worker that ends is replaced; the others are not affected. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Map<number, ServerWorker>();
  readonly #lives: Promise<void>[] = [];
  /** Counts of workers that are gone: counters never go back. */
  #endedCounts: ServerCounts = sumOfCounts([]);
  /** Their counters too. */
  #endedFamilies: readonly MetricFamily[] = [];
  #beat: NodeJS.Timeout | null = null;
  #kept: KeptSettings;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#kept = options.kept;
  }

  async start({
    host,
    port: asked,
  }: Pick<ServeSettings, "host" | "port">): Promise<Omit<RunningWorkers, "stop">> {
    let port = asked;
    for (let worker = 1; worker <= this.#options.workers; worker += 1) {
      const first = await this.#startOne(worker, port);
      // Where any free port was asked for, the first worker has found it.
      ({ port } = first);
      this.#lives.push(this.#keep(worker, port, first));
    }
    this.#beat = setInterval(() => this.#beatForMissing(), HEARTBEAT_MS).unref();
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      port,
      useKeys: (keys) => this.#useKeys(keys),
      useStoredKeys: (stored) => this.#useStoredKeys(stored),
      useAccessLog: (accessLog) => this.#useAccessLog(accessLog),
      counts: () => this.#counts(),
      load: () => sumOfLoads(figuresOf([...this.#running.values()]).map(({ load }) => load)),
      families: () => [
        this.#endedFamilies,
        ...figuresOf([...this.#running.values()]).map(({ families }) => families),
      ],
      refresh: () => this.#refresh(),
      readiness: () => this.#readiness(),
      searchStatus: () => furthestBehind(figuresOf([...this.#running.values()])),
    };
  }

  async #startOne(worker: number, port: number): Promise<ServerWorker> {
    const { dataOf, answers, heapMegabytes } = this.#options;
    let taken = this.#kept;
    const started = await ServerWorker.start(dataOf(worker, port, taken), answers, heapMegabytes);
    // They may change again while the worker takes them.
    while (taken !== this.#kept) {
      const { keys, storedKeys, accessLog } = taken;
      taken = this.#kept;
      if (keys !== taken.keys) await started.useKeys(taken.keys);
      if (storedKeys !== taken.storedKeys) await started.useStoredKeys(taken.storedKeys);
      if (accessLog !== taken.accessLog) await started.useAccessLog(taken.accessLog);
    }
    return started;
  }

  /** A worker that has ended is replaced by one with these keys. */
  async #useKeys(keys: readonly string[]): Promise<void> {
    this.#kept = { ...this.#kept, keys };
    await Promise.allSettled([...this.#running.values()].map((worker) => worker.useKeys(keys)));
  }

  async #useStoredKeys(storedKeys: readonly StoredKey[]): Promise<void> {
    this.#kept = { ...this.#kept, storedKeys };
    await Promise.allSettled([...this.#running.values()].map((worker) => worker.useStoredKeys(storedKeys)));
  }

  async #useAccessLog(accessLog: AccessLogSettings): Promise<void> {
    this.#kept = { ...this.#kept, accessLog };
    await Promise.allSettled([...this.#running.values()].map((worker) => worker.useAccessLog(accessLog)));
  }

  /** One worker after another in the same place. */
  async #keep(worker: number, port: number, first: ServerWorker): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    const backOff = new BackOff();
    let running: ServerWorker | null = first;
    while (!signal.aborted) {
      const startMs = performance.now();
      if (running !== null) {
        this.#running.set(worker, running);
        const why = await running.ended;
        this.#running.delete(worker);
        this.#options.onEnded(worker);
        this.#endedCounts = sumOfCounts([
          this.#endedCounts,
          ...figuresOf([running]).map(({ counts }) => counts),
        ]);
        for (const { families } of figuresOf([running]))
          this.#endedFamilies = endedFamilies(this.#endedFamilies, families);
        if (why === null) return;
        log.error({ worker, err: why }, "a worker ended; its connections are closed, and it is replaced");
      }
      await sleep(backOff.next(performance.now() - startMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      running = await this.#startOne(worker, port).catch((error: unknown) => {
        // It may have listened before it failed.
        this.#options.onEnded(worker);
        log.error({ worker, err: error }, "a worker cannot be replaced; trying again");
        return null;
      });
      if (running !== null) log.info({ worker }, "a worker was replaced");
    }
    // It was started while all were being stopped.
    await running?.stop(this.#options.stopMs);
  }

  /** A worker that is being replaced does not hang. */
  #beatForMissing(): void {
    for (let worker = 1; worker <= this.#options.workers; worker += 1)
      if (!this.#running.has(worker)) Atomics.add(this.#options.heartbeats, worker, 1);
  }

  #counts(): ServerCounts {
    return sumOfCounts([
      this.#endedCounts,
      ...figuresOf([...this.#running.values()]).map(({ counts }) => counts),
    ]);
  }

  async #refresh(): Promise<void> {
    await Promise.all([...this.#running.values()].map((worker) => worker.refresh()));
  }

  /** Ready while all serving workers are; otherwise the status of the first that is not. */
  async #readiness(): Promise<ReadinessAnswer> {
    const answers = await Promise.allSettled([...this.#running.values()].map((worker) => worker.readiness()));
    const given = answers.filter((one) => one.status === "fulfilled").map(({ value }) => value ?? hangs);
    const told = given.find(({ isReady }) => !isReady) ?? given[0] ?? noneServes;
    const workers = { wanted: this.#options.workers, serving: this.#running.size };
    const fullBody = JSON.stringify({ ...(JSON.parse(told.fullBody) as object), workers });
    return { ...told, fullBody };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#beat ?? undefined);
    await Promise.all([...this.#running.values()].map((worker) => worker.stop(this.#options.stopMs)));
    await Promise.all(this.#lives);
  }
}

const figuresOf = (workers: readonly ServerWorker[]): readonly WorkerFigures[] =>
  workers.flatMap(({ figures }) => figures ?? []);

const furthestBehind = (all: readonly WorkerFigures[]): SearchReport | null => {
  const reports = all.map(({ search }) => search);
  const behind = reports.toSorted((a, b) => (a?.changeSeq ?? -1) - (b?.changeSeq ?? -1))[0] ?? null;
  if (behind === null) return null;
  const isAny = (member: "isFilling" | "isRefused"): boolean => reports.some((one) => one?.[member] === true);
  return { ...behind, isFilling: isAny("isFilling"), isRefused: isAny("isRefused") };
};

const notReady = (status: string): ReadinessAnswer => {
  const body = JSON.stringify({ status });
  return { isReady: false, body, fullBody: body };
};
const noneServes = notReady("starting");
const hangs = notReady("hanging");
