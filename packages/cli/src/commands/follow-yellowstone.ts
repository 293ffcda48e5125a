import { usageError } from "@lamplight/errors";
import { followChain, type SnapshotPlace } from "@lamplight/runtime";
import { type MetricsAddress, parseWords } from "@lamplight/server/command";
import { parseServerAddress } from "@lamplight/sources/yellowstone";
import type { Command } from "../command.ts";
import { allowed, readMaxStaleSeconds } from "./follow-flags.ts";
import { fillOptions, fillSnapshotOf } from "../coverage/fill-flags.ts";
import { followUntilStopped } from "./follow-until-stopped.ts";
import { metricsOptions, readMetricsAddress } from "../metrics-flags.ts";
import { say } from "../output.ts";
import { storeUrlOf } from "../store-flag.ts";

const usage = `URL --store URL [--token TOKEN] [--commitment processed|confirmed] [--standby]
                   [--repair-rpc URL] [--fill-snapshot FULL] [--fill-incremental FILE|URL] [--fill-work FOLDER]
                   [--metrics-port PORT] [--metrics-host HOST]
                   [--max-stale-seconds N] [--no-derive] [--no-sample] [--auto-migrate]

  URL             Yellowstone gRPC server: https://HOST[:PORT], or http:// for a connection without TLS
  --store         store to keep in sync, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; it must have been loaded
  --token         sent as x-token. Use LAMPLIGHT_YELLOWSTONE_TOKEN instead: other users of this machine see command lines
  --commitment    commitment of the stream (processed); confirmed is later and needs less work
  --standby       wait while another process writes the store, and take over when it ends; /readyz is ready meanwhile
  --repair-rpc    RPC node for the blocks of slots that the server cannot replay. If the URL contains a key, use
                  LAMPLIGHT_REPAIR_RPC
  --fill-snapshot     ledger snapshot that has the accounts of programs which are added (lamplight coverage add): a file, an
                  http(s) URL, or a folder with archives. The node of --repair-rpc confirms its block. Default: the node
                  answers the accounts. If the URL contains a key, use LAMPLIGHT_FILL_SNAPSHOT
  --fill-incremental  incremental archive over it, as a file or URL; or LAMPLIGHT_FILL_INCREMENTAL
  --fill-work     with postgres://: folder for temporary files, in a folder named after the store (default: the current one).
                  For a file they are in FILE.fill
  --metrics-port  serve /metrics (Prometheus), /readyz and /livez on this port; 0 picks a free one
  --metrics-host  address for these (127.0.0.1)
  --max-stale-seconds  not ready once no new slot came for so long (60); also as LAMPLIGHT_MAX_STALE_SECONDS
  --no-derive           after an upgrade that changed rules, keep to the rules of the store
  --no-sample           do not compare a stored asset a second with what its accounts make
  --auto-migrate        update an older schema in PostgreSQL, instead of refusing it; see lamplight migrate

The command continues from the store's slot. It subscribes to what the store covers: the whole chain, or whole programs.
Slots that are not finalized are published in a PostgreSQL store, so that every \`lamplight serve\` over it also answers
processed and confirmed. A missing slot stops the store at the slot before it, until a replay or the RPC node delivers it;
/readyz shows the gap. Ctrl-C stops the command. Everything finalized by then is in the store.
LAMPLIGHT_MEMORY_BYTES replaces the memory of the machine or container in the bounds of what is kept in memory.

Example:
  lamplight follow yellowstone https://grpc.example:443 --store sqlite:chain.db`;

export interface FollowFlags {
  readonly url: string;
  readonly store: string;
  readonly token: string | null;
  readonly commitment: "processed" | "confirmed";
  readonly standby: boolean;
  readonly derives: boolean;
  readonly samples: boolean;
  readonly repairRpc: string | null;
  readonly fillSnapshot?: SnapshotPlace;
  readonly metrics: MetricsAddress | null;
  readonly maxStaleSeconds: number | null;
}

export const followYellowstoneCommand: Command = {
  name: "follow yellowstone",
  summary: "keep a store in sync with a Yellowstone gRPC stream",
  usage,
  run: (args) => follow(parseFlags(args)),
};

const flags = {
  store: { type: "string" },
  token: { type: "string" },
  commitment: { type: "string" },
  standby: { type: "boolean" },
  "repair-rpc": { type: "string" },
  ...fillOptions,
  ...metricsOptions,
  "max-stale-seconds": { type: "string" },
  "no-derive": { type: "boolean" },
  "no-sample": { type: "boolean" },
  "auto-migrate": { type: "boolean" },
} as const;

/** @throws LamplightError `CLI__USAGE` */
const parseFlags = (args: readonly string[]): FollowFlags => {
  const { values, positionals } = parseWords(args, flags);
  const [url] = positionals;
  if (url === undefined || positionals.length > 1)
    throw usageError(
      "expected exactly one URL, as in: lamplight follow yellowstone https://grpc.example:443",
    );
  parseServerAddress(url);
  const store = storeUrlOf(values);
  const repairRpc = values["repair-rpc"] ?? process.env["LAMPLIGHT_REPAIR_RPC"] ?? null;
  return {
    url,
    store: allowed(store, values),
    token: values.token ?? process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
    commitment: commitmentOf(values.commitment ?? "processed"),
    standby: values.standby ?? false,
    derives: values["no-derive"] !== true,
    samples: values["no-sample"] !== true,
    repairRpc,
    ...fillSnapshotOf(values, { store, repairRpc }),
    maxStaleSeconds: readMaxStaleSeconds(values["max-stale-seconds"]),
    metrics: readMetricsAddress(values),
  };
};

const commitmentOf = (text: string): FollowFlags["commitment"] => {
  if (text === "processed" || text === "confirmed") return text;
  throw usageError("--commitment must be processed or confirmed");
};

const follow = ({ metrics, standby, ...options }: FollowFlags): Promise<number> =>
  followUntilStopped({
    store: options.store,
    standby,
    metrics,
    what: parseServerAddress(options.url).name,
    start: (store) =>
      followChain(
        store,
        { kind: "yellowstone", ...options },
        { ...options, withSearch: false, callsForever: standby, say },
      ),
  });
