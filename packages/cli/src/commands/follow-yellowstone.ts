import { parseArgs } from "node:util";
import { LamplightError } from "@lamplight/errors";
import { firstSentence } from "@lamplight/server/command";
import { parseServerAddress } from "@lamplight/sources";
import type { Command } from "../command.ts";
import { parsePort } from "./follow-flags.ts";
import { LiveFollowing } from "./follow-live.ts";
import { METRICS_HOST, type MetricsAddress } from "./follow-metrics.ts";
import { followUntilStopped, say } from "./follow-until-stopped.ts";

const usage = `URL --store URL [--token TOKEN] [--commitment processed|confirmed] [--standby]
                   [--repair-rpc URL] [--metrics-port PORT] [--metrics-host HOST]

  URL             of the Yellowstone gRPC server: https://HOST[:PORT], or http:// for a plain connection
  --store         store to keep in step, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; it must have been loaded
  --token         sent as x-token; better as LAMPLIGHT_YELLOWSTONE_TOKEN, which other users do not see
  --commitment    what the stream is asked for (processed); confirmed is later and lighter
  --standby       while another process writes the store, waits and takes over when that one is gone; /readyz says so
  --repair-rpc    ordinary RPC node that is asked for the blocks of slots which the server cannot replay; better as
                  LAMPLIGHT_REPAIR_RPC, since such URLs hold keys
  --metrics-port  serves /metrics (Prometheus) and /readyz on this port; 0 picks a free one
  --metrics-host  address for that (127.0.0.1)

What is not rooted yet is shown in a store of PostgreSQL, so that every \`lamplight serve\` over it answers processed and
confirmed too. Goes on where the store stands. What the store covers (the whole chain, or whole programs) is what is asked for.
A slot that is missing stops the store at the slot before, and /readyz says so, until a replay or the RPC node brings it.
Ctrl-C ends it; whatever was finalized by then is in the store.`;

export interface FollowFlags {
  readonly url: string;
  readonly store: string;
  readonly token: string | null;
  readonly commitment: "processed" | "confirmed";
  readonly standby: boolean;
  readonly repairRpc: string | null;
  readonly metrics: MetricsAddress | null;
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
  standby: { type: "boolean" },
  "repair-rpc": { type: "string" },
  "metrics-port": { type: "string" },
  "metrics-host": { type: "string" },
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
  parseServerAddress(url);
  const store = values.store ?? process.env["LAMPLIGHT_STORE"];
  if (store === undefined || store === "") throw usageError("--store is missing");
  const port = values["metrics-port"];
  if (port === undefined && values["metrics-host"] !== undefined)
    throw usageError("--metrics-host belongs to --metrics-port");
  return {
    url,
    store,
    token: values.token ?? process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
    commitment: commitmentOf(values.commitment ?? "processed"),
    standby: values.standby ?? false,
    repairRpc: values["repair-rpc"] ?? process.env["LAMPLIGHT_REPAIR_RPC"] ?? null,
    metrics:
      port === undefined
        ? null
        : { host: values["metrics-host"] ?? METRICS_HOST, port: parsePort("--metrics-port", port) },
  };
};

const commitmentOf = (text: string): FollowFlags["commitment"] => {
  if (text === "processed" || text === "confirmed") return text;
  throw usageError("--commitment must be processed or confirmed");
};

const usageError = (reason: string): LamplightError => new LamplightError("CLI__USAGE", { reason });

const follow = ({ metrics, standby, ...options }: FollowFlags): Promise<number> =>
  followUntilStopped({
    store: options.store,
    standby,
    metrics,
    what: parseServerAddress(options.url).name,
    start: (store) => LiveFollowing.start(store, { ...options, withSearch: false, say }),
  });
