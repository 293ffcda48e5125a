import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { cpuSecondsOf } from "../http/cpu-seconds.ts";

/** A server with workers, in a process of its own, on all processors. */
export interface Serving {
  readonly url: URL;
  readonly pid: number;
  cpuSeconds(): number;
  /** Of each thread, by its number. */
  threadSeconds(): ReadonlyMap<string, number>;
  /** Proportional set size in MB: pages that several processes share count in parts. */
  pssMegabytes(): number;
  /** Ends it at once. */
  stop(): void;
  /** Ends it as a signal does, with its index saved. */
  end(): Promise<void>;
}

const READY = /"msg":"serving"/u;
const INDEXED = /"msg":"search index is ready"/u;
const TICKS_PER_SECOND = 100;

/**
 * @param store - as `serve --store` takes it
 * @param withSearch - waits until every thread has its search index */
export const startServing = async (store: string, workers: number, withSearch: boolean): Promise<Serving> => {
  const script = new URL("workers-server.ts", import.meta.url).pathname;
  const flags = ["--store", store, "--key", "bench", "--port", "0", "--workers", String(workers)];
  const child = spawn(process.execPath, [...process.execArgv, script, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // With several workers, one more thread has filled the index for all.
  const indexes = workers === 1 ? 1 : workers + 1;
  const url = await untilReady(child, withSearch ? indexes : 0);
  const pid = child.pid!;
  return {
    url: new URL(`${url}/v3/bench`),
    pid,
    cpuSeconds: () => cpuSecondsOf(pid) ?? Number.NaN,
    threadSeconds: () => threadSecondsOf(pid),
    pssMegabytes: () => pssOf(pid),
    stop: () => child.kill("SIGKILL"),
    end: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
};

const untilReady = (child: ChildProcess, indexes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let url: string | null = null;
    let indexed = 0;
    createInterface(child.stdout!).on("line", (line) => {
      if (READY.test(line)) ({ url } = JSON.parse(line) as { url: string });
      if (INDEXED.test(line)) indexed += 1;
      if (url !== null && indexed >= indexes) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });

const threadSecondsOf = (pid: number): ReadonlyMap<string, number> => {
  const seconds = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    seconds.set(thread, (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
  }
  return seconds;
};

const pssOf = (pid: number): number => {
  const kilobytes = /^Pss:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
  return Number(kilobytes) / 1024;
};
