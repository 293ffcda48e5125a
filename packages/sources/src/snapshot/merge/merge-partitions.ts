import { Worker } from "node:worker_threads";
import { MERGE_AHEAD, MERGE_WORKERS_MAX } from "../snapshot-limits.ts";
import { diskError } from "./partition-writer.ts";
import { createPartitionMerger } from "./partition-merger.ts";
import type { MergeDone, MergeSettings, MergeTask } from "./merge-messages.ts";

export interface MergePool {
  readonly settings: MergeSettings;
  /** 0 = this one. */
  readonly threads: number;
}

const workerUrl = new URL(
  `./merge-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);

/**
 * Merges partitions in threads and hands them on in their order, a few ahead of whoever takes them.
 *
 * @throws whatever went wrong in a thread
 */
export async function* mergePartitions(
  tasks: readonly MergeTask[],
  pool: MergePool,
): AsyncGenerator<MergeDone> {
  if (pool.threads === 0) {
    const merge = await createPartitionMerger(pool.settings);
    for (const task of tasks) yield merge(task);
    return;
  }
  const threads = Math.max(1, Math.min(pool.threads, MERGE_WORKERS_MAX, tasks.length));
  const workers = Array.from({ length: threads }, () => new Worker(workerUrl, { workerData: pool.settings }));
  const waiting = new Map<number, PromiseWithResolvers<MergeDone>>();
  const fail = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(diskError(error, tasks[0]?.file ?? ""));
  };
  for (const worker of workers) {
    worker.on("message", (done: MergeDone) => waiting.get(done.partition)?.resolve(asBuffer(done)));
    worker.on("error", fail);
    worker.on("exit", (code) => {
      if (code !== 0) fail(new Error(`a merging thread ended with code ${code}`));
    });
  }
  let sent = 0;
  const send = (): void => {
    const task = tasks[sent];
    if (task === undefined) return;
    const pending = Promise.withResolvers<MergeDone>();
    // An error may come before anybody waits for this partition.
    pending.promise.catch(() => {});
    waiting.set(task.partition, pending);
    workers[sent % threads]?.postMessage(task);
    sent += 1;
  };
  try {
    for (let ahead = 0; ahead < threads * MERGE_AHEAD; ahead += 1) send();
    for (const { partition } of tasks) {
      const done = await (waiting.get(partition) as PromiseWithResolvers<MergeDone>).promise;
      waiting.delete(partition);
      send();
      yield done;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** A buffer arrives from another thread as a plain byte array. */
const asBuffer = (done: MergeDone): MergeDone => ({
  ...done,
  bytes: Buffer.from(done.bytes.buffer, done.bytes.byteOffset, done.bytes.byteLength),
});
