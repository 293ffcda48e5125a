// Servers that tests start as `lamplight serve`, and calls to them.
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

type LogEntry = Readonly<Record<string, unknown>>;

/** The URL of a started server, from its log. Reads the log to its end. */
export const servingUrl = (
  child: ChildProcess,
  onLine: (entry: LogEntry, line: string) => void = () => {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    createInterface(child.stdout!).on("line", (line) => {
      const entry = JSON.parse(line) as LogEntry;
      onLine(entry, line);
      if (entry["msg"] === "serving") resolve(entry["url"] as string);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it served`)));
  });

/** Posts one call. `url` contains the key. */
export const postCall = (
  url: string,
  method: string,
  params: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });

/** The part of the answer of `readyz` that tests read. The server has the key `k`. */
export interface Readiness {
  readonly slot?: number;
  readonly follow?: { readonly confirmedSlot: number };
}

export const readinessOf = async (url: string): Promise<Readiness> =>
  (await (await fetch(`${url}/v3/k/readyz`)).json()) as Readiness;
