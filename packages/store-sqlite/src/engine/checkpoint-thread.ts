/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CheckpointData } from "./checkpoint-worker.ts";
import { CHECKPOINT_MS } from "./settings.ts";

/**
 * Moves the log of a store into its file while another connection writes: passive checkpoints, which wait for nobody
 * and let nobody wait. Should the thread fail, the log grows until the writer's commits take over.
 */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #ended: Promise<unknown>;

  constructor(file: string) {
    const workerData: CheckpointData = { file, everyMs: CHECKPOINT_MS };
    const name = `./checkpoint-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
    this.#worker = new Worker(new URL(name, import.meta.url), { workerData });
    this.#ended = once(this.#worker, "exit").catch(() => undefined);
    // A process whose work is done ends, whether it closed its store or not.
    this.#worker.unref();
  }

  /** Resolves when its connection is closed. */
  async stop(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage("stop");
    await this.#ended;
  }
}
