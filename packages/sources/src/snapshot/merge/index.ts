// The exports that a merging thread needs, without networking code: it is started for every load.

export { batchOf } from "../prove/winner-accounts.ts";
export type { MergeDone, MergeTask } from "./merge-messages.ts";
export { createPartitionMerger } from "./partition-merger.ts";
export { placeOf } from "../../place.ts";
export { serveTasks } from "./thread-pool.ts";
