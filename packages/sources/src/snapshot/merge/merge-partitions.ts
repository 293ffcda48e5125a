import { MERGE_WORKERS_MAX } from "../snapshot-limits.ts";
import type { MergeDone, MergeSettings, MergeTask } from "./merge-messages.ts";
import { createPartitionMerger } from "./partition-merger.ts";
import { ThreadPool } from "./thread-pool.ts";

const workerUrl = new URL(
  `./merge-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);

/**
 * Merges partitions in threads and yields them in their order. A few are merged ahead of the reader.
 *
 * @param needed - threads; 0 = the calling one
 * @throws anything that went wrong in a thread
 */
export async function* mergePartitions(
  tasks: readonly MergeTask[],
  settings: MergeSettings,
  wanted: number,
): AsyncGenerator<MergeDone> {
  if (wanted === 0) {
    const merge = createPartitionMerger(settings);
    for (const task of tasks) yield merge(task);
    return;
  }
  const threads = Math.max(1, Math.min(wanted, MERGE_WORKERS_MAX, tasks.length));
  const pool = new ThreadPool<MergeTask, MergeDone>(workerUrl, {
    threads,
    dataOf: () => settings,
    place: tasks[0]?.file ?? "",
  });
  try {
    yield* pool.inOrder(tasks);
  } finally {
    await pool.close();
  }
}
