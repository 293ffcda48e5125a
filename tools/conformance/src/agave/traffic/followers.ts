import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "@lamplight/real-chain";
import { type Endpoint, httpEndpoint } from "../endpoints.ts";
import { LamplightProcess } from "./lamplight-process.ts";

const KEY = "traffic";
/** Closed accounts are found by these. */
export const RESCAN_SECONDS = 15;
/** A loaded machine takes long to fill a store. */
const readyMs = 300_000;

export interface Follower {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** What its answers are of: a store that another process follows has finalized slots only. */
  readonly commitment: "confirmed" | "finalized";
  /** Ends what follows, as a crash would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
  readonly output: string;
}

const follow = (url: string, name: "serve" | "follow", store: string, port: number): LamplightProcess =>
  name === "serve"
    ? new LamplightProcess([
        "serve",
        `--store=${store}`,
        `--key=${KEY}`,
        `--port=${port}`,
        `--follow=rpc=${url}`,
        `--rescan-seconds=${RESCAN_SECONDS}`,
      ])
    : new LamplightProcess([
        "follow",
        "rpc",
        `--url=${url}`,
        `--store=${store}`,
        `--rescan-seconds=${RESCAN_SECONDS}`,
      ]);

/** `serve --follow rpc`: one process. */
export const startServing = async (url: string, folder: string): Promise<Follower> => {
  const store = `sqlite:${join(folder, "served.db")}`;
  const port = await findFreePorts(1);
  let process = follow(url, "serve", store, port);
  const endpoint = httpEndpoint("serve --follow rpc", `http://127.0.0.1:${port}/v3/${KEY}`);
  await untilAnswering(endpoint, () => process);
  return {
    name: "serve --follow rpc",
    endpoint,
    commitment: "confirmed",
    get output() {
      return process.output;
    },
    crash: async () => {
      await process.end("SIGKILL");
      process = follow(url, "serve", store, port);
      await untilAnswering(endpoint, () => process);
    },
    stop: () => process.end("SIGTERM"),
  };
};

/** `follow rpc` next to `serve`: a writer and a reader of one store. */
export const startFollowing = async (url: string, folder: string): Promise<Follower> => {
  const store = `sqlite:${join(folder, "followed.db")}`;
  const port = await findFreePorts(1);
  let writer = follow(url, "follow", store, port);
  const endpoint = httpEndpoint("follow rpc", `http://127.0.0.1:${port}/v3/${KEY}`);
  let reader = new LamplightProcess([]);
  for (
    const end = Date.now() + readyMs;
    Date.now() < end && !(await isAnswering(endpoint));
    await sleep(500)
  ) {
    if (!writer.isRunning) throw new Error(`follow rpc ended: ${writer.output}`);
    if (reader.isRunning) continue;
    reader = new LamplightProcess(["serve", `--store=${store}`, `--key=${KEY}`, `--port=${port}`]);
  }
  return {
    name: "follow rpc",
    endpoint,
    commitment: "finalized",
    get output() {
      return writer.output;
    },
    crash: async () => {
      await writer.end("SIGKILL");
      writer = follow(url, "follow", store, port);
    },
    stop: async () => {
      await writer.end("SIGTERM");
      await reader.end("SIGTERM");
    },
  };
};

const untilAnswering = async (endpoint: Endpoint, process: () => LamplightProcess): Promise<void> => {
  for (const end = Date.now() + readyMs; Date.now() < end; await sleep(200)) {
    if (await isAnswering(endpoint)) return;
    if (!process().isRunning) throw new Error(`${endpoint.name} ended: ${process().output}`);
  }
  throw new Error(`${endpoint.name} does not answer: ${process().output}`);
};

const probe = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "getAccountInfo",
  params: ["SysvarC1ock11111111111111111111111111111111", { encoding: "base64" }],
});

const isAnswering = async (endpoint: Endpoint): Promise<boolean> =>
  endpoint.ask(probe).then(
    (text) => text.includes('"result"'),
    () => false,
  );
