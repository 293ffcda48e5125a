/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { Worker } from "node:worker_threads";

import type { StoredKey } from "../../gate/key-account.ts";
import type { ReadinessAnswer } from "../../http/probes.ts";
import type { AccessLogSettings } from "../../log/access-settings.ts";
import { withinMs } from "../../within-ms.ts";
import { fromPlainError, type PlainError } from "./plain-error.ts";
import { PortCalls, type PortHandler } from "./port-calls.ts";
import { toMain, toWorker, type WorkerFigures, type WorkerSettings } from "./worker-messages.ts";

const workerUrl = new URL(
  `./serve-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);
/** A worker that has not answered by then is counted as it was. */
const FIGURES_MS = 1000;
/** A worker that has not said by then whether it is ready hangs. It waits for its store for half of that. */
const READINESS_MS = 2000;

/** One worker from the main thread's side. */
export class ServerWorker {
  readonly port: number;
  /** Resolves when the thread has ended: with the reason, or null where it was asked to stop. */
  readonly ended: Promise<Error | null>;
  readonly #worker: Worker;
  readonly #calls: PortCalls;
  #figures: WorkerFigures | null = null;
  #isStopping = false;

  private constructor(worker: Worker, calls: PortCalls, ended: Promise<Error>, port: number) {
    this.#worker = worker;
    this.#calls = calls;
    this.port = port;
    this.ended = ended.then((error) => (this.#isStopping ? null : error));
  }

  /**
   * @param answers - to what the worker calls
   * @throws anything that keeps it from serving
   */
  static async start(
    workerData: WorkerSettings,
    answers: Readonly<Record<string, PortHandler>>,
    heapMegabytes: number,
  ): Promise<ServerWorker> {
    const worker = new Worker(workerUrl, {
      workerData,
      name: `lamplight-${workerData.worker}`,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    const ended = whyEnded(worker);
    const started = Promise.withResolvers<number>();
    const calls = new PortCalls(worker, {
      ...answers,
      [toMain.started]: (port: number) => started.resolve(port),
      [toMain.failed]: (error: PlainError) => started.reject(fromPlainError(error)),
    });
    const onEnd = (error: Error): void => {
      calls.close(error);
      started.reject(error);
    };
    void ended.then(onEnd);
    try {
      return new ServerWorker(worker, calls, ended, await started.promise);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }

  /** As they were when it was asked last; null = never. */
  get figures(): WorkerFigures | null {
    return this.#figures;
  }

  /** Asks for figures again. */
  async refresh(): Promise<void> {
    const asked = this.#calls.call<WorkerFigures>(toWorker.figures, null);
    const figures = await withinMs(asked, FIGURES_MS).catch(() => null);
    if (figures !== null) this.#figures = figures;
  }

  /** Null where it hangs. */
  readiness(): Promise<ReadinessAnswer | null> {
    return withinMs(this.#calls.call<ReadinessAnswer>(toWorker.readiness, null), READINESS_MS);
  }

  /** Takes these settings from now on. */
  useAccessLog(settings: AccessLogSettings): Promise<void> {
    return this.#calls.call(toWorker.accessLog, settings);
  }

  /** Takes these keys from now on. */
  useKeys(keys: readonly string[]): Promise<void> {
    return this.#calls.call(toWorker.keys, keys);
  }

  /** The same of the keys of a key store. */
  useStoredKeys(stored: readonly StoredKey[]): Promise<void> {
    return this.#calls.call(toWorker.storedKeys, stored);
  }

  /** Lets it finish its calls, as one server does, and ends the thread; one that hangs is ended after `stopMs`. */
  async stop(stopMs: number): Promise<void> {
    this.#isStopping = true;
    await withinMs(this.#calls.call(toWorker.stop, null), stopMs).catch(() => undefined);
    await this.#worker.terminate();
  }
}

/** `once` would reject at the event `error`, which comes before `exit`. */
const whyEnded = (worker: Worker): Promise<Error> =>
  new Promise((resolve) => {
    let failure: Error | null = null;
    worker.on("error", (error: Error) => void (failure = error));
    worker.on("exit", (code) => resolve(failure ?? new Error(`the worker ended with code ${code}`)));
  });
