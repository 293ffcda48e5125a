import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "./free-ports.ts";

export interface ValidatorOptions {
  /** Path of the executable. */
  readonly path: string;
  /** A folder of account files that the chain begins with. */
  readonly accountFolder?: string;
  /** A ledger to go on with, or where a new one is made; default: a temporary folder. */
  readonly ledger?: string;
  /** Begin a new chain in `ledger`. */
  readonly reset?: boolean;
  /** The same port again after a restart. */
  readonly port?: number;
  readonly arguments?: readonly string[];
}

export interface RunningValidator {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly ledger: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Ends it, and removes a temporary ledger. */
  stop(): Promise<void>;
}

/** RPC, its WebSocket, faucet, gossip, and the range of the rest. */
const PORTS_OF_VALIDATOR = 45;
/** The range has to have at least so many. */
const DYNAMIC_PORTS = 32;
/** A loaded machine takes many minutes. */
const START_MS = 900_000;
const STOP_MS = 30_000;
const LOG_BYTES = 4000;

/** Starts a real validator with a chain of its own. */
export const startValidator = async (options: ValidatorOptions): Promise<RunningValidator> => {
  const ledger = options.ledger ?? mkdtempSync(join(tmpdir(), "lamplight-validator-"));
  const from = await findFreePorts(PORTS_OF_VALIDATOR);
  const port = options.port ?? from;
  const child = spawn(options.path, argumentsOf(options, ledger, port, from), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-LOG_BYTES)));
  const url = `http://127.0.0.1:${port}`;
  const removeLedger = (): void => {
    if (options.ledger === undefined) rmSync(ledger, { recursive: true, force: true });
  };
  try {
    await untilHealthy(child, url);
  } catch (error) {
    await end(child, "SIGKILL");
    const log = join(ledger, "validator.log");
    const lines = existsSync(log) ? readFileSync(log, "utf8").slice(-LOG_BYTES) : "";
    removeLedger();
    throw new Error(`${options.path} did not start: ${said}${lines}`, { cause: error });
  }
  return {
    url,
    port,
    pid: child.pid as number,
    ledger,
    kill: () => end(child, "SIGKILL"),
    stop: async () => {
      await end(child, "SIGTERM");
      removeLedger();
    },
  };
};

const argumentsOf = (
  options: ValidatorOptions,
  ledger: string,
  port: number,
  from: number,
): readonly string[] => [
  `--ledger=${ledger}`,
  "--quiet",
  "--bind-address=127.0.0.1",
  `--rpc-port=${port}`,
  `--faucet-port=${from + 3}`,
  `--gossip-port=${from + 4}`,
  `--dynamic-port-range=${from + 5}-${from + 5 + DYNAMIC_PORTS}`,
  ...(options.reset === false ? [] : ["--reset"]),
  ...(options.accountFolder === undefined ? [] : ["--account-dir", options.accountFolder]),
  ...(options.arguments ?? []),
];

/** Until the node answers, and has finalized what it began with. */
const untilHealthy = async (child: ChildProcess, url: string): Promise<void> => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "getSlot",
    params: [{ commitment: "finalized" }],
  });
  const headers = { "content-type": "application/json" };
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    const answer = await fetch(url, { method: "POST", headers, body })
      .then((response) => response.json() as Promise<{ readonly result?: number }>)
      .catch(() => null);
    if ((answer?.result ?? 0) > 0) return;
  }
  throw new Error(`it does not answer within ${START_MS / 1000} s`);
};

const end = async (child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
};
