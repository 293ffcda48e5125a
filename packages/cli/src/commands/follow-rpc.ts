import { parseArgs } from "node:util";
import { LamplightError } from "@lamplight/errors";
import { firstSentence } from "@lamplight/server/command";
import { parseEndpoint } from "@lamplight/sources";
import type { Command } from "../command.ts";
import { parsePort } from "./follow-flags.ts";
import { METRICS_HOST, type MetricsAddress } from "./follow-metrics.ts";
import { readRpcFlags, type RpcFlags, rpcOptions, rpcUsage } from "./follow-rpc-flags.ts";
import { RpcFollowing } from "./follow-rpc-live.ts";
import { followUntilStopped, say } from "./follow-until-stopped.ts";

const usage = `[--url URL] --store URL [--ws URL | --no-ws] [--program ADDRESS]… [--account ADDRESS]…
           [--mint ADDRESS]… [--tree ADDRESS]… [--census-seconds N] [--poll-seconds N] [--standby]
           [--metrics-port PORT] [--metrics-host HOST]

  --url             of the node's JSON-RPC, http:// or https://, also as first word; better as LAMPLIGHT_RPC_URL where
                    it holds a key, which other users do not see
  --store           store to keep in step, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; made when there is none
${rpcUsage}
  --standby         while another process writes the store, waits and takes over when that one is gone
  --metrics-port    serves /metrics (Prometheus) and /readyz on this port; 0 picks a free one
  --metrics-host    address for that (127.0.0.1)

Fills the store with what it lacks, then keeps it in step; what it covers already is followed without being named.
Follows at confirmed: processed is answered with the confirmed slot. A node tells nobody of closed accounts: they are
found by the census, and /readyz says how old the last one is and how old it may get.
Ctrl-C ends it; whatever was finalized by then is in the store.`;

export const followRpcCommand: Command = {
  name: "follow rpc",
  summary: "keep a store in step with an ordinary RPC node",
  usage,
  run: (args) => follow(parseFlags(args)),
};

interface FollowRpcFlags extends RpcFlags {
  readonly store: string;
  readonly standby: boolean;
  readonly metrics: MetricsAddress | null;
}

const options = {
  url: { type: "string" },
  store: { type: "string" },
  standby: { type: "boolean" },
  "metrics-port": { type: "string" },
  "metrics-host": { type: "string" },
  ...rpcOptions,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const parseFlags = (args: readonly string[]): FollowRpcFlags => {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    throw usageError(firstSentence((cause as Error).message), cause);
  }
  const { values, positionals } = parsed;
  if (positionals.length + (values.url === undefined ? 0 : 1) > 1) throw usageError("one URL is wanted");
  const store = values.store ?? process.env["LAMPLIGHT_STORE"] ?? "";
  if (store === "") throw usageError("--store is missing");
  const port = values["metrics-port"];
  const host = values["metrics-host"];
  if (port === undefined && host !== undefined) throw usageError("--metrics-host belongs to --metrics-port");
  return {
    ...readRpcFlags(values.url ?? positionals[0] ?? null, values, process.env),
    store,
    standby: values.standby ?? false,
    metrics:
      port === undefined ? null : { host: host ?? METRICS_HOST, port: parsePort("--metrics-port", port) },
  };
};

const follow = ({ metrics, standby, ...flags }: FollowRpcFlags): Promise<number> =>
  followUntilStopped({
    store: flags.store,
    create: true,
    standby,
    metrics,
    what: parseEndpoint(flags.url, ["http:", "https:"]).name,
    start: (store) => RpcFollowing.start(store, { ...flags, withSearch: false, say }),
  });

const usageError = (reason: string, cause?: unknown): LamplightError =>
  new LamplightError("CLI__USAGE", { reason }, { cause });
