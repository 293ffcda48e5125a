import { existsSync } from "node:fs";
import { usageError } from "@lamplight/errors";
import { engineOf, followChain, type RpcUpstream } from "@lamplight/runtime";
import { type MetricsAddress, parseWords } from "@lamplight/server/command";
import { assertNodeAnswers, parseEndpoint } from "@lamplight/sources/rpc";
import type { Command } from "../command.ts";
import { allowed, readMaxStaleSeconds } from "./follow-flags.ts";
import { readRpcFlags, rpcOptions, rpcUsage } from "../follow-rpc-flags.ts";
import { followUntilStopped } from "./follow-until-stopped.ts";
import { metricsOptions, readMetricsAddress } from "../metrics-flags.ts";
import { say } from "../output.ts";
import { storeUrlOf } from "../store-flag.ts";

const usage = `[--url URL] --store URL [--ws URL | --no-ws] [--program ADDRESS]… [--account ADDRESS]…
           [--mint ADDRESS]… [--tree ADDRESS]… [--rescan-seconds N] [--poll-seconds N] [--standby]
           [--metrics-port PORT] [--metrics-host HOST] [--max-stale-seconds N] [--no-derive] [--no-sample]
           [--auto-migrate]

  --url             URL of the node's JSON-RPC, also accepted as the first word. If it contains a key, use
                    LAMPLIGHT_RPC_URL: other users of this machine see command lines
  --store           store to keep in sync, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; created if missing
${rpcUsage}
  --standby         wait while another process writes the store, and take over when it ends
  --metrics-port    serve /metrics (Prometheus), /readyz and /livez on this port; 0 picks a free one
  --metrics-host    address for these (127.0.0.1)
  --max-stale-seconds  not ready once no new slot came for so long (60); also as LAMPLIGHT_MAX_STALE_SECONDS
  --no-derive           after an upgrade that changed rules, keep to the rules of the store
  --no-sample       do not compare a stored asset a second with what its accounts make
  --auto-migrate        update an older schema in PostgreSQL, instead of refusing it; see lamplight migrate

Without --program, --account, --mint and --tree a new store follows everything that the node lists: the programs of every
loader, the native programs and the System program. Each full rescan looks for more.
The command fills the store with what it lacks, then keeps it in sync. What the store covers already is followed without
being named. Processed reads are answered with the confirmed slot.
RPC nodes do not report closed accounts. Full rescans find them; /readyz shows the age of the last one and its limit.
Ctrl-C stops the command. Everything finalized by then is in the store.
LAMPLIGHT_MEMORY_BYTES replaces the memory of the machine or container in the bounds of what is kept in memory.

Examples:
  lamplight follow rpc --url http://127.0.0.1:8899 --store sqlite:local.db
  lamplight follow rpc --url https://rpc.example --store sqlite:some.db --program ADDRESS`;

export const followRpcCommand: Command = {
  name: "follow rpc",
  summary: "keep a store in sync with any JSON-RPC node",
  usage,
  run: (args) => follow(parseFlags(args)),
};

interface FollowRpcFlags extends RpcUpstream {
  readonly store: string;
  readonly standby: boolean;
  readonly derives: boolean;
  readonly samples: boolean;
  readonly metrics: MetricsAddress | null;
  readonly maxStaleSeconds: number | null;
}

const options = {
  url: { type: "string" },
  store: { type: "string" },
  standby: { type: "boolean" },
  ...metricsOptions,
  "max-stale-seconds": { type: "string" },
  "no-derive": { type: "boolean" },
  "no-sample": { type: "boolean" },
  "auto-migrate": { type: "boolean" },
  ...rpcOptions,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const parseFlags = (args: readonly string[]): FollowRpcFlags => {
  const { values, positionals } = parseWords(args, options);
  if (positionals.length + (values.url === undefined ? 0 : 1) > 1)
    throw usageError("expected exactly one URL");
  const store = storeUrlOf(values);
  return {
    ...readRpcFlags(values.url ?? positionals[0] ?? null, values, process.env),
    store: allowed(store, values),
    standby: values.standby ?? false,
    derives: values["no-derive"] !== true,
    samples: values["no-sample"] !== true,
    maxStaleSeconds: readMaxStaleSeconds(values["max-stale-seconds"]),
    metrics: readMetricsAddress(values),
  };
};

const follow = ({ metrics, standby, ...flags }: FollowRpcFlags): Promise<number> =>
  followUntilStopped({
    store: flags.store,
    create: true,
    standby,
    metrics,
    what: parseEndpoint(flags.url, ["http:", "https:"]).name,
    // A wrong URL must not leave an empty store.
    prepare: async (signal) => {
      if (isMissing(flags.store)) await assertNodeAnswers(flags.url, signal);
    },
    start: (store) =>
      followChain(
        store,
        { kind: "rpc", ...flags },
        { ...flags, withSearch: false, callsForever: standby, say },
      ),
  });

/** @throws LamplightError `STORE__URL` */
const isMissing = (store: string): boolean => {
  const file = engineOf(store).fileOf(store);
  return file !== null && !existsSync(file);
};
