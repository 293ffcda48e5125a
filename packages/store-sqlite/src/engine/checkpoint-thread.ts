/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { Worker } from "node:worker_threads";
import type { CheckpointData, CheckpointOrder } from "./checkpoint-worker.ts";
import { CHECKPOINT_BUSY_MS, CHECKPOINT_RESTART_PAGES } from "./settings.ts";

/** Defaults are in `settings.ts`. */
export type CheckpointBounds = Partial<Pick<CheckpointData, "restartPages" | "busyMs">>;

/**
 * Moves the log of a store into its file beside the writer: after each commit, while nothing is written, so that the
 * log can begin anew with the next one. Should the thread fail, that is told, and the commits have to do it.
 */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;
  #isAlive = true;

  /** @param onFailure - called when the thread ends by itself */
  constructor(
    file: string,
    onFailure: (error: Error) => void,
    { restartPages = CHECKPOINT_RESTART_PAGES, busyMs = CHECKPOINT_BUSY_MS }: CheckpointBounds = {},
  ) {
    const workerData: CheckpointData = { file, restartPages, busyMs };
    const name = `./checkpoint-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
    this.#worker = new Worker(new URL(name, import.meta.url), { workerData });
    this.#ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.once("error", (error: Error) => {
      this.#isAlive = false;
      onFailure(error);
    });
    // A process whose work is done ends, whether it closed its store or not.
    this.#worker.unref();
  }

  /** False once it has ended by itself. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** To be called after a commit. */
  committed(): void {
    this.#tell("committed");
  }

  /** Resolves when its connection is closed. */
  async stop(): Promise<void> {
    this.#worker.ref();
    this.#tell("stop");
    await this.#ended;
  }

  #tell(order: CheckpointOrder): void {
    this.#worker.postMessage(order);
  }
}
