/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */

import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { openArchiveSource, readArchive } from "@lamplight/sources/snapshot";

/**
 * Records per second of reading and decompressing an archive. In a thread, since code that has served two readers of
 * records is slower for both: neither this nor a load may suffer from the other.
 */
export const readAlone = async (archive: string): Promise<number> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: archive });
  const [recordsPerSecond] = (await once(worker, "message")) as [number];
  await worker.terminate();
  return recordsPerSecond;
};

const read = async (archive: string): Promise<number> => {
  const startMs = performance.now();
  let records = 0;
  await readArchive(await openArchiveSource(archive), {
    onManifest: () => {},
    onProgress: () => {},
    openStorage: () => () => {
      records += 1;
    },
  });
  return (1000 * records) / (performance.now() - startMs);
};

if (typeof workerData === "string") parentPort?.postMessage(await read(workerData));
