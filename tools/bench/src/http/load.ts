import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import autocannon from "autocannon";
import { TooBusyError } from "../bench.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";

export const CONNECTIONS = 64;

/** A server under load, in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Processor time used so far, in seconds; null where the system does not report it. */
  cpuSeconds(): number | null;
  stop(): void;
}

/** What one stretch of load came to. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Processor time of the server per request, which other processes on the machine hardly change. */
  readonly cpuMicrosPerRequest: number | null;
}

/** Starts a server script on the first core (where the system can pin) and waits for the line with its address. */
export const startServerProcess = async (script: string, args: readonly string[]): Promise<ServerProcess> => {
  const node = [process.execPath, ...process.execArgv, new URL(script, import.meta.url).pathname, ...args];
  const command = canPin() ? ["taskset", "-c", "0", ...node] : node;
  const child = spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  const url = await firstLine(child);
  return { url, cpuSeconds: () => cpuSecondsOf(child.pid!), stop: () => child.kill("SIGKILL") };
};

/** Loads a server with the bodies in turn; every answer must be an HTTP 200. */
export const loadServer = async (
  server: ServerProcess,
  bodies: readonly string[],
  seconds: number,
  connections = CONNECTIONS,
): Promise<LoadResult> => {
  const cpuBefore = server.cpuSeconds();
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })),
  });
  if (result.non2xx > 0 || result.errors > 0 || result["2xx"] === 0)
    throw new TooBusyError(
      `${result["2xx"]} answers, ${result.non2xx} refusals, ${result.errors} errors (${result.timeouts} of them timeouts) from ${server.url}`,
    );
  const cpuAfter = server.cpuSeconds();
  return {
    requestsPerSecond: result["2xx"] / result.duration,
    cpuMicrosPerRequest:
      cpuBefore === null || cpuAfter === null ? null : ((cpuAfter - cpuBefore) * 1e6) / result["2xx"],
  };
};

/** Puts the load itself on the second core, out of the servers' way. */
export const pinLoad = (): void => {
  if (canPin()) execFileSync("taskset", ["-cp", "1", String(process.pid)], { stdio: "ignore" });
};

const canPin = (): boolean => {
  try {
    execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout!.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
