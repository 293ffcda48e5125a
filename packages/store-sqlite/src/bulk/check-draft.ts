import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LamplightError } from "@lamplight/errors";
import type { CheckData } from "./check-worker.ts";

const workerUrl = new URL(
  `./check-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);

/**
 * The number of accounts, and the engine's own quick look at the pages, in a thread: no one writes the file any more.
 *
 * @throws LamplightError `STORE__CORRUPT`
 */
export const checkDraft = async (data: CheckData): Promise<void> => {
  const worker = new Worker(workerUrl, { workerData: data });
  try {
    const [reason] = (await once(worker, "message")) as [string | null];
    if (reason !== null) throw new LamplightError("STORE__CORRUPT", { store: data.file, reason });
  } finally {
    await worker.terminate();
  }
};
