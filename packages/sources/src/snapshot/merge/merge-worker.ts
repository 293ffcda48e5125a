// A thread that merges partitions.

import { parentPort, workerData } from "node:worker_threads";
import type { MergeSettings, MergeTask } from "./merge-messages.ts";
import { createPartitionMerger } from "./partition-merger.ts";

const merge = await createPartitionMerger(workerData as MergeSettings);

parentPort?.on("message", (task: MergeTask) => {
  const { buffers, ...done } = merge(task);
  parentPort?.postMessage(
    { ...done, buffers: [] },
    buffers.filter((buffer) => buffer instanceof ArrayBuffer),
  );
});
