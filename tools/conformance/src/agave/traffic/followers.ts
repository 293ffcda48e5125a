import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePorts } from "@lamplight/real-chain";
import { LamplightError } from "@lamplight/errors";
import { type Endpoint, httpEndpoint } from "../endpoints.ts";
import { LamplightProcess } from "./lamplight-process.ts";

const keyText = "traffic";
/** Closed accounts are found by these. */
export const RESCAN_SECONDS = 15;
/** A loaded machine takes long to fill a store. */
const READY_MS = 900_000;

export interface Follower {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** URL of the store as `--store` takes it. */
  readonly store: string;
  /** Follows Yellowstone messages. */
  readonly isStreamed: boolean;
  /** Commitment of its answers: a store that another process follows has finalized slots only. */
  readonly commitment: "confirmed" | "finalized";
  /** Ends what follows, as a crash would, and starts it again. */
  crash(): Promise<void>;
  /** Neither reads nor answers for so long, as on a machine that is too busy. */
  freeze(ms: number): Promise<void>;
  stop(): Promise<void>;
  readonly output: string;
}

interface Serving {
  readonly name: string;
  /** File name of the store in `folder`. */
  readonly file: string;
  readonly folder: string;
  /** Flags of `serve`. */
  readonly flags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** `serve --follow …`: one process. */
const startServing = async ({ name, file, folder, flags, environment }: Serving): Promise<Follower> => {
  const store = `sqlite:${join(folder, file)}`;
  const port = await findFreePorts(1);
  const start = (): LamplightProcess =>
    new LamplightProcess(
      ["serve", `--store=${store}`, `--key=${keyText}`, `--port=${port}`, ...flags],
      environment,
    );
  let process = start();
  const endpoint = httpEndpoint(name, `http://127.0.0.1:${port}/v3/${keyText}`);
  await untilAnswering(endpoint, () => process);
  return {
    name,
    endpoint,
    store,
    isStreamed: flags.some((flag) => flag.startsWith("--follow=yellowstone")),
    commitment: "confirmed",
    get output() {
      return process.output;
    },
    crash: async () => {
      await process.end("SIGKILL");
      process = start();
      await untilAnswering(endpoint, () => process);
    },
    freeze: (ms) => process.freeze(ms),
    stop: () => process.end("SIGTERM"),
  };
};

/** Follows a node by RPC, from an empty store. */
export const serveByRpc = (url: string, folder: string): Promise<Follower> =>
  startServing({
    name: "serve --follow rpc",
    file: "served.db",
    folder,
    flags: [`--follow=rpc=${url}`, `--rescan-seconds=${RESCAN_SECONDS}`],
  });

/** The same from a store of the node's own snapshot archive. */
export const serveByRpcFrom = async (archive: string, url: string, folder: string): Promise<Follower> => {
  await loadArchive(archive, join(folder, "loaded.db"));
  return startServing({
    name: "snapshot, then serve --follow rpc",
    file: "loaded.db",
    folder,
    flags: [`--follow=rpc=${url}`, `--rescan-seconds=${RESCAN_SECONDS}`],
  });
};

/** Follows the stream of a node's plugin, from a store of its own snapshot archive. */
export const serveByStreamFrom = async (
  archive: string,
  { stream, url }: { readonly stream: string; readonly url: string },
  folder: string,
): Promise<Follower> => {
  await loadArchive(archive, join(folder, "streamed.db"));
  return startServing({
    name: "snapshot, then serve --follow yellowstone",
    file: "streamed.db",
    folder,
    flags: [`--follow=yellowstone=${stream}`],
    environment: { LAMPLIGHT_REPAIR_RPC: url },
  });
};

const loadArchive = async (archive: string, file: string): Promise<void> => {
  const loading = new LamplightProcess(["load", "snapshot", archive, `--store=sqlite:${file}`]);
  if ((await loading.exitCode()) !== 0) throw new Error(`${archive} was not loaded: ${loading.output}`);
};

/** `follow rpc` next to `serve`: a writer and a reader of one store. */
export const followByRpc = async (url: string, folder: string): Promise<Follower> => {
  const store = `sqlite:${join(folder, "followed.db")}`;
  const port = await findFreePorts(1);
  const flags = [`--url=${url}`, `--store=${store}`, `--rescan-seconds=${RESCAN_SECONDS}`];
  const start = (): LamplightProcess => new LamplightProcess(["follow", "rpc", ...flags]);
  let writer = start();
  const endpoint = httpEndpoint("follow rpc", `http://127.0.0.1:${port}/v3/${keyText}`);
  let reader = new LamplightProcess([]);
  for (
    const end = Date.now() + READY_MS;
    Date.now() < end && !(await isAnswering(endpoint));
    await sleep(500)
  ) {
    if (!writer.isRunning)
      throw new LamplightError("SOURCE__LOST", { url: "follow rpc", reason: writer.output });
    if (reader.isRunning) continue;
    reader = new LamplightProcess(["serve", `--store=${store}`, `--key=${keyText}`, `--port=${port}`]);
  }
  return {
    name: "follow rpc",
    endpoint,
    store,
    isStreamed: false,
    commitment: "finalized",
    get output() {
      return writer.output;
    },
    crash: async () => {
      await writer.end("SIGKILL");
      writer = start();
    },
    freeze: (ms) => writer.freeze(ms),
    stop: async () => {
      await writer.end("SIGTERM");
      await reader.end("SIGTERM");
    },
  };
};

const untilAnswering = async (endpoint: Endpoint, process: () => LamplightProcess): Promise<void> => {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(200)) {
    if (await isAnswering(endpoint)) return;
    if (!process().isRunning)
      throw new LamplightError("SOURCE__LOST", { url: endpoint.name, reason: process().output });
  }
  throw new LamplightError("SOURCE__UNREACHABLE", { url: endpoint.name, reason: process().output });
};

const isAnswering = async (endpoint: Endpoint): Promise<boolean> =>
  (await slotOf(endpoint, "confirmed")) !== null;

/** Slot of an endpoint's answers; null = it answers nothing. */
export const slotOf = async (
  endpoint: Endpoint,
  commitment: "confirmed" | "finalized",
): Promise<number | null> => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "getAccountInfo",
    params: ["SysvarC1ock11111111111111111111111111111111", { encoding: "base64", commitment }],
  });
  const text = await endpoint.ask(body).catch(() => "");
  const slot = /"result":\{"context":\{"apiVersion":"[^"]*","slot":(\d+)\}/u.exec(text)?.[1];
  return slot === undefined ? null : Number(slot);
};
