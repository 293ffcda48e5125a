// `lamplight dev` as a child process, and calls to what it serves.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startCommand } from "./run-command.ts";
import { postCall } from "./serving.ts";

export interface RunningDev {
  /** The URL that calls go to. */
  readonly api: string;
  /** Everything that it has printed on stdout. */
  readonly lines: readonly string[];
  call(method: string, params: unknown): Promise<DevAnswer>;
  /** Calls a method of the DAS contract. */
  callDas(method: string, params: unknown): Promise<DevAnswer>;
  /** Ends it as Ctrl-C does. @returns its exit code */
  stop(): Promise<number | null>;
}

export interface DevAnswer {
  readonly slot: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of any method
  readonly result: any;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

/** Resolves once it has printed its address. Rejects with what it said where it ends before. */
export const startDev = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningDev> => {
  const child = startCommand(["dev", ...args], environment);
  const lines: string[] = [];
  const said: string[] = [];
  createInterface(child.stderr!).on("line", (line) => said.push(line));
  const api = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on("line", (line) => {
      lines.push(line);
      const found = /API\s+(http\S+)$/u.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${said.join("\n")}`)));
  });
  return {
    api,
    lines,
    call: (method, params) => callDev(api, method, params),
    callDas: (method, params) => callDev(api.replace("/v3/", "/das/"), method, params),
    stop: () => stopDev(child),
  };
};

const stopDev = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode !== null) return child.exitCode;
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
};

const callDev = async (api: string, method: string, params: unknown): Promise<DevAnswer> => {
  const response = await postCall(api, method, params);
  const { result, error } = (await response.json()) as DevAnswer;
  return { slot: Number(response.headers.get("x-slot")), result, error };
};
