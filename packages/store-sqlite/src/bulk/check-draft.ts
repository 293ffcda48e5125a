import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { LamplightError } from "@lamplight/errors";
import type { CheckData } from "./check-worker.ts";

const workerUrl = new URL(
  `./check-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
);

/**
 * Counts the accounts and runs the engine's quick check of the pages, in a thread. The file is no longer written.
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
