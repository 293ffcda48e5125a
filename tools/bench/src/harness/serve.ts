// Servers in processes of their own: this project's as a user starts it, and bare ones to compare with.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { processSeconds, threadSeconds } from "./process-seconds.ts";

/** The checkout that this bench belongs to. */
export const thisCheckout = fileURLToPath(new URL("../../../..", import.meta.url));

export interface ServerProcess {
  readonly pid: number;
  /** The URL that calls are sent to. */
  readonly url: URL;
  /** Processor time used so far. NaN where the system does not report it. */
  seconds(): number;
  /** Processor seconds of each thread, by its number. */
  threadSeconds(): ReadonlyMap<string, number>;
  /** Proportional set size in MB: pages that several processes share count in parts. */
  pssMegabytes(): number;
  /** Reads what its probe has measured since the last report. Fails where the process has ended. */
  report<Report>(): Promise<Report>;
  /** Ends it at once. */
  stop(): void;
  /** Ends it as a signal does, with its index saved. */
  end(): Promise<void>;
}

export interface ServeOptions {
  /** The checkout whose server is started: a folder with this project that is set up. */
  readonly checkout?: string;
  /** Threads that answer (1). */
  readonly workers?: number;
  /** Waits until every thread has its search index (true). */
  readonly withSearch?: boolean;
  /** Keeps it on the first core, where the system can pin (false). The load runs on the second: see `pinLoad`. */
  readonly isPinned?: boolean;
  /** A script of this folder that runs in the server's main thread and answers `report`. */
  readonly probe?: "probe-turns.ts" | "probe-spent.ts";
  readonly keys?: readonly string[];
  /** The key of the calls. Default: the first of `keys`. */
  readonly urlKey?: string;
  /** Further flags of the command. */
  readonly flags?: readonly string[];
  /** The limits as in the configuration file. */
  readonly limits?: object;
}

const readyPattern = /"msg":"serving"/u;
const indexedPattern = /"msg":"search index is ready"/u;

/** @param store - as `serve --store` takes it */
export const serveStore = async (
  store: string,
  {
    checkout = thisCheckout,
    workers = 1,
    withSearch = true,
    isPinned = false,
    probe,
    keys = ["bench"],
    urlKey = keys[0]!,
    flags = [],
    limits = {},
  }: ServeOptions = {},
): Promise<ServerProcess> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-serve-"));
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify({ limits }));
  const child = start(
    [
      "--conditions=@lamplight/source",
      "--disable-warning=ExperimentalWarning",
      ...(probe === undefined ? [] : [`--import=${new URL(probe, import.meta.url).href}`]),
      join(checkout, "packages/server/src/main.ts"),
      `--store=${store}`,
      `--workers=${workers}`,
      `--config=${config}`,
      "--port=0",
      ...keys.map((key) => `--key=${key}`),
      ...flags,
    ],
    isPinned,
  );
  // With several workers, one more thread has filled the index for all.
  const indexes = workers === 1 ? 1 : workers + 1;
  try {
    const url = await untilServing(child, withSearch ? indexes : 0);
    return serverProcess(child, new URL(`${url}/v3/${urlKey}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Starts a script that prints its address as its first line. */
export const serveScript = async (script: URL, args: readonly string[]): Promise<ServerProcess> => {
  const child = start([...process.execArgv, fileURLToPath(script), ...args], true);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return serverProcess(child, new URL(url));
};

/**
 * Puts the load itself on the second core, out of the way of pinned servers.
 *
 * @returns gives it all cores again; servers that are started later inherit those of the load
 */
export const pinLoad = (): (() => void) => {
  if (!canPin()) return () => undefined;
  pinTo("1");
  return () => pinTo(`0-${cpus().length - 1}`);
};

const pinTo = (cores: string): void =>
  void execFileSync("taskset", ["-acp", cores, String(process.pid)], { stdio: "ignore" });

const canPin = (): boolean => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const start = (args: readonly string[], isPinned: boolean): ChildProcess => {
  const node = [process.execPath, ...args];
  const command = isPinned && canPin() ? ["taskset", "-c", "0", ...node] : node;
  return spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "inherit", "ipc"] });
};

const untilServing = (child: ChildProcess, indexes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let url: string | null = null;
    let indexed = 0;
    createInterface(child.stdout!).on("line", (line) => {
      if (readyPattern.test(line)) ({ url } = JSON.parse(line) as { url: string });
      if (indexedPattern.test(line)) indexed += 1;
      if (url !== null && indexed >= indexes) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });

const serverProcess = (child: ChildProcess, url: URL): ServerProcess => {
  const pid = child.pid!;
  return {
    pid,
    url,
    seconds: () => processSeconds(pid),
    threadSeconds: () => threadSeconds(pid),
    pssMegabytes: () => pssOf(pid),
    report: async <Report>() => {
      const ended = once(child, "exit").then(([code, signal]) => {
        throw new Error(`the server ended with ${String(code ?? signal)}`);
      });
      child.send("report");
      const [report] = (await Promise.race([once(child, "message"), ended])) as [Report];
      return report;
    },
    stop: () => void child.kill("SIGKILL"),
    end: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
};

const pssOf = (pid: number): number => {
  const kilobytes = /^Pss:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
  return Number(kilobytes) / 1024;
};
