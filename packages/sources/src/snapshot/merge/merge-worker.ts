// A thread that merges partitions.

import { parentPort, workerData } from "node:worker_threads";
import type { MergeSettings, MergeTask } from "./merge-messages.ts";
import { createPartitionMerger } from "./partition-merger.ts";

const merge = createPartitionMerger(workerData as MergeSettings);

parentPort?.on("message", (task: MergeTask) => {
  const done = merge(task);
  parentPort?.postMessage(done, [done.bytes.buffer as ArrayBuffer, done.winners.buffer as ArrayBuffer]);
});
