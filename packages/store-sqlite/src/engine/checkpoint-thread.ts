/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { Worker } from "node:worker_threads";
import type { CheckpointAnswer, CheckpointData, CheckpointOrder } from "./checkpoint-worker.ts";
import { CHECKPOINT_BUSY_MS, CHECKPOINT_RESTART_PAGES, CHECKPOINT_RETRY_MS } from "./settings.ts";

/** Defaults are in `settings.ts`. */
export interface CheckpointBounds {
  /** Pages of the log beyond which it must restart. */
  readonly restartPages?: number;
  /** Milliseconds for which the restart may wait for readers. */
  readonly busyMs?: number;
  /** Milliseconds until pages are tried again that the disk refused. */
  readonly retryMs?: number;
}

export interface CheckpointHandlers {
  /** Called when the thread ends by itself. */
  readonly onFailure: (error: Error) => void;
  /** Called when the disk starts to refuse pages, with its reason, and with null when it takes them again. */
  readonly onRefused: (reason: string | null) => void;
}

/**
 * After a failed attempt, the log grows by this share of the bound before the next one, because views may stay open
 * for long.
 */
const RETRY_PARTS = 4;

/**
 * Checkpoints the log of a store in a thread: after each commit, while nothing is written. A log that is always read
 * or written never restarts by itself. So the next commit sometimes waits until the current readers have ended. It
 * waits asynchronously, because some of them may run on its own thread. If the thread fails, it is reported, and the
 * commits checkpoint.
 */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #restartPages: number;
  readonly #ended: Promise<unknown>;
  readonly #onRefused: CheckpointHandlers["onRefused"];
  #isAlive = true;
  #isRefused = false;
  #targetPages: number;
  #commits = 0;
  #restart: PromiseWithResolvers<void> | null = null;

  constructor(
    file: string,
    { onFailure, onRefused }: CheckpointHandlers,
    {
      restartPages = CHECKPOINT_RESTART_PAGES,
      busyMs = CHECKPOINT_BUSY_MS,
      retryMs = CHECKPOINT_RETRY_MS,
    }: CheckpointBounds = {},
  ) {
    this.#onRefused = onRefused;
    this.#restartPages = restartPages;
    this.#targetPages = restartPages;
    const workerData: CheckpointData = { file, busyMs, retryMs };
    const name = `./checkpoint-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
    this.#worker = new Worker(new URL(name, import.meta.url), { workerData });
    this.#ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.on("message", (answer: CheckpointAnswer) => this.#take(answer));
    this.#worker.once("error", (error: Error) => {
      this.#isAlive = false;
      onFailure(error);
    });
    this.#worker.once("exit", () => this.#restart?.resolve());
    // The thread must not keep a process alive that has ended its work without closing the store.
    this.#worker.unref();
  }

  /** False once the thread has ended by itself. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether the disk refused pages when they were last moved. The log grows until it takes them. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The restart that a commit has to wait for; null = none. */
  get restarting(): Promise<void> | null {
    return this.#restart?.promise ?? null;
  }

  /** The writer calls it after each commit. */
  committed(): void {
    this.#commits += 1;
    this.#emit({ kind: "committed", commit: this.#commits });
  }

  /** Resolves when its connection is closed. */
  async stop(): Promise<void> {
    this.#worker.ref();
    this.#emit({ kind: "stop" });
    await this.#ended;
  }

  #take(answer: CheckpointAnswer): void {
    switch (answer.kind) {
      case "moved":
        if (answer.hasMoved) this.#noteRefusal(null);
        if (this.#restart === null && this.#isRestartDue(answer)) this.#beginRestart(answer.logPages);
        return;
      case "restarted":
        if (answer.isDone) this.#targetPages = this.#restartPages;
        this.#restart?.resolve();
        this.#restart = null;
        this.#worker.unref();
        return;
      case "refused":
        this.#noteRefusal(answer.reason);
        return;
      default:
        answer satisfies never;
    }
  }

  /** @param reason - null = the disk took the pages */
  #noteRefusal(reason: string | null): void {
    const isRefused = reason !== null;
    if (isRefused === this.#isRefused) return;
    this.#isRefused = isRefused;
    this.#onRefused(reason);
  }

  /** Best right after a commit: then no pages are left to checkpoint while the next commit waits. */
  #isRestartDue({ commit, logPages }: Extract<CheckpointAnswer, { kind: "moved" }>): boolean {
    const latestPages = this.#targetPages + this.#partPages;
    return logPages > this.#targetPages && (commit === this.#commits || logPages > latestPages);
  }

  get #partPages(): number {
    return Math.ceil(this.#restartPages / RETRY_PARTS);
  }

  #beginRestart(logPages: number): void {
    this.#targetPages = logPages + this.#partPages;
    this.#restart = Promise.withResolvers();
    // A caller may wait for it and have nothing else that keeps the process alive.
    this.#worker.ref();
    this.#emit({ kind: "restart" });
  }

  #emit(order: CheckpointOrder): void {
    this.#worker.postMessage(order);
  }
}
