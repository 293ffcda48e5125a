import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import autocannon from "autocannon";

export const CONNECTIONS = 64;
const SECONDS = 4;

/** Starts a server script on the first core (where the system can pin) and waits for the line with its address. */
export const startServerProcess = async (
  script: string,
  args: readonly string[],
): Promise<{ readonly url: string; stop(): void }> => {
  const node = [process.execPath, ...process.execArgv, new URL(script, import.meta.url).pathname, ...args];
  const command = canPin() ? ["taskset", "-c", "0", ...node] : node;
  const child = spawn(command[0]!, command.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  return { url: await firstLine(child), stop: () => child.kill("SIGKILL") };
};

/** Requests per second that a server answers, every one with HTTP 200 and the same body. */
export const requestsPerSecond = async (url: string, body: string): Promise<number> => {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors from ${url}`);
  return result.requests.average;
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
