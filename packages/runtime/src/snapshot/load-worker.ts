// A thread of a load. It merges, hashes and encodes accounts, files their claims, and derives assets.

import { workerData } from "node:worker_threads";
import type { BulkEncoder } from "@lamplight/core";
import { ClaimSpill, derivePartition, PartJoin } from "@lamplight/indexer";
import {
  batchOf,
  createPartitionMerger,
  type MergeDone,
  type MergeTask,
  serveTasks,
} from "@lamplight/sources/snapshot/merge";
import type { LoadDone, LoadTask, LoadThreadData } from "./load-messages.ts";
import { versionSumOf } from "./version-sum.ts";

interface Answer {
  readonly done: LoadDone;
  readonly buffers: readonly ArrayBufferLike[];
}

const { encoderUrl, encoding, name } = workerData as LoadThreadData;
const encoder = (await import(encoderUrl)) as unknown as BulkEncoder;

let merger: ((task: MergeTask) => MergeDone) | null = null;
let claims: ClaimSpill | null = null;
let join: PartJoin | null = null;

const merge = ({ task, settings, place }: Extract<LoadTask, { kind: "merge" }>): Answer => {
  merger ??= createPartitionMerger(settings, false);
  claims ??= new ClaimSpill(place, name);
  const merged = merger(task);
  const batch = batchOf(merged);
  claims.add(batch);
  const versions = versionSumOf(batch);
  const { encoded, buffers } = encoder.encodeBatch(batch, batch.count, encoding);
  const { partition, counts, lamports, fullLamports, lattice } = merged;
  const outcome = { partition, counts, lamports, fullLamports, lattice };
  return { done: { kind: "merge", ...outcome, encoded, versions, ledger: claims.takeLedger() }, buffers };
};

const handle = (task: LoadTask): Answer => {
  switch (task.kind) {
    case "merge":
      return merge(task);
    case "endMerge":
      claims?.close();
      merger = null;
      claims = null;
      return { done: { kind: "ended" }, buffers: [] };
    case "join": {
      join ??= new PartJoin(task.place, name);
      const page = join.join(task.partition);
      const { encoded, buffers } = encoder.encodeLinks(page, encoding);
      return { done: { kind: "derived", encoded, count: page.links.length }, buffers };
    }
    case "endJoin":
      join?.close();
      join = null;
      return { done: { kind: "ended" }, buffers: [] };
    case "derive": {
      const page = derivePartition(task.place, task.partition);
      const { encoded, buffers } = encoder.encodeAssets(page, encoding);
      return { done: { kind: "derived", encoded, count: encoded.count }, buffers };
    }
    default:
      return task satisfies never;
  }
};

serveTasks<LoadTask, LoadDone>(handle);
