import { parseArgs } from "node:util";
import { LamplightError } from "@lamplight/errors";
import { exitCodes, firstSentence, untilStopSignal } from "@lamplight/server/command";
import type { Command } from "../command.ts";
import { parsePort } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { startMetrics } from "./follow-metrics.ts";

const usage = `URL --store URL [--token TOKEN] [--commitment processed|confirmed] [--metrics-port PORT]

  URL             of the Yellowstone gRPC server: https://HOST[:PORT], or http:// for a plain connection
  --store         store to keep in step, as sqlite:FILE or postgres://…; it must have been loaded before
  --token         sent as x-token; better as LAMPLIGHT_YELLOWSTONE_TOKEN, which other users do not see
  --commitment    what the stream is asked for (processed); confirmed is later and lighter
  --metrics-port  serves /metrics (Prometheus) and /readyz on this port of 127.0.0.1; 0 picks a free one

Goes on where the store stands. What the store covers (the whole chain, or whole programs) is what is asked for.
A slot that is missing stops the store at the slot before, and /readyz says so, until a replay brings it.
Ctrl-C ends it; whatever was finalized by then is in the store.`;

/** Between two lines of progress. */
const PROGRESS_MS = 10_000;

export interface FollowFlags {
  readonly url: string;
  readonly store: string;
  readonly token: string | null;
  readonly commitment: "processed" | "confirmed";
  readonly metricsPort: number | null;
}

export const followYellowstoneCommand: Command = {
  name: "follow yellowstone",
  summary: "keep a store in step with a Yellowstone gRPC stream",
  usage,
  run: (args) => follow(parseFlags(args)),
};

const flags = {
  store: { type: "string" },
  token: { type: "string" },
  commitment: { type: "string" },
  "metrics-port": { type: "string" },
} as const;

/** @throws LamplightError `CLI__USAGE` */
const parseFlags = (args: readonly string[]): FollowFlags => {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new LamplightError("CLI__USAGE", { reason: firstSentence((cause as Error).message) }, { cause });
  }
  const { values, positionals } = parsed;
  const [url] = positionals;
  if (url === undefined || positionals.length > 1) throw usageError("exactly one URL is wanted");
  if (!/^https?:\/\/[^/]/u.test(url)) throw usageError(`${url} is no http:// or https:// URL`);
  if (values.store === undefined) throw usageError("--store is missing");
  return {
    url,
    store: values.store,
    token: values.token ?? process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
    commitment: commitmentOf(values.commitment ?? "processed"),
    metricsPort:
      values["metrics-port"] === undefined ? null : parsePort("--metrics-port", values["metrics-port"]),
  };
};

const commitmentOf = (text: string): FollowFlags["commitment"] => {
  if (text === "processed" || text === "confirmed") return text;
  throw usageError("--commitment must be processed or confirmed");
};

const usageError = (reason: string): LamplightError => new LamplightError("CLI__USAGE", { reason });

const follow = async ({ metricsPort, ...options }: FollowFlags): Promise<number> => {
  const stopped = untilStopSignal();
  const live = await LiveFollowing.start({ ...options, withSearch: false, say });
  const metrics = metricsPort === null ? null : await startMetrics(live, metricsPort);
  if (metrics !== null) say(`metrics: ${metrics.url}/metrics`);
  say(`following ${options.url} from slot ${live.overlay.state.rootedSlot + 1}`);
  const progress = setInterval(() => say(progressOf(live)), PROGRESS_MS);
  try {
    await Promise.race([stopped, live.ended]);
  } finally {
    clearInterval(progress);
    await live.stop();
    await metrics?.close();
  }
  process.stdout.write(`stopped at rooted slot ${live.overlay.state.rootedSlot}\n`);
  return exitCodes.done;
};

const progressOf = (live: LiveFollowing): string => {
  const { rootedSlot, confirmedSlot, processedSlot } = live.overlay.state;
  const { queuedEvents, messages } = live.source.state;
  return `processed ${processedSlot}, confirmed ${confirmedSlot}, rooted ${rootedSlot}; ${messages} messages, ${queuedEvents} waiting`;
};

/** Progress goes to stderr, the result to stdout. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
