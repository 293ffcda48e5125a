// A thread that merges partitions.

import { workerData } from "node:worker_threads";
import type { MergeDone, MergeSettings, MergeTask } from "./merge-messages.ts";
import { createPartitionMerger } from "./partition-merger.ts";
import { serveTasks } from "./thread-pool.ts";

const merge = createPartitionMerger(workerData as MergeSettings);

serveTasks<MergeTask, MergeDone>((task) => {
  const done = merge(task);
  return { done, buffers: [done.bytes.buffer, done.winners.buffer] };
});
