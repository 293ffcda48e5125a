import { usageError } from "@lamplight/errors";
import type { Upstream } from "@lamplight/runtime/follow";
import { parseWords } from "@lamplight/server/command";
import { parseServerAddress } from "@lamplight/sources/addresses";
import type { Command } from "../command.ts";
import { followOptions, followUsage, memoryUsage, readFollowFlags } from "./follow-flags.ts";
import { fillOptions, fillSnapshotOf } from "../coverage/fill-flags.ts";
import { type FollowRun, followUntilStopped } from "./follow-until-stopped.ts";
import { storeUrlOf } from "../store-flag.ts";

const usage = `URL --store URL [--token TOKEN] [--commitment processed|confirmed] [--standby]
                   [--repair-rpc URL] [--fill-snapshot FULL] [--fill-incremental FILE|URL] [--fill-work FOLDER]
                   [--metrics-port PORT] [--metrics-host HOST]
                   [--max-stale-seconds N] [--no-derive] [--no-sample] [--auto-migrate]

  URL               Yellowstone gRPC server: https://HOST[:PORT], or http:// for a connection without TLS
  --store           store to keep in sync, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; it must have been loaded
  --token           sent as x-token. Use LAMPLIGHT_YELLOWSTONE_TOKEN instead: other users of this machine see command lines
  --commitment      commitment of the stream (processed); confirmed is later and needs less work
  --repair-rpc      RPC node for the blocks of slots that the server cannot replay. If the URL contains a key, use
                    LAMPLIGHT_REPAIR_RPC
  --fill-snapshot   ledger snapshot that has the accounts of programs which are added (lamplight coverage add): a file, an
                    http(s) URL, or a folder with archives. The node of --repair-rpc confirms its block. Default: the node
                    answers the accounts. If the URL contains a key, use LAMPLIGHT_FILL_SNAPSHOT
  --fill-incremental  incremental archive over it, as a file or URL; or LAMPLIGHT_FILL_INCREMENTAL
  --fill-work       with postgres://: folder for temporary files, in a folder named after the store (default: the current one).
                    For a file they are in FILE.fill
${followUsage}

The command continues from the store's slot. It subscribes to what the store covers: the whole chain, or whole programs.
Slots that are not finalized are published in a PostgreSQL store, so that every \`lamplight serve\` over it also answers
processed and confirmed. A missing slot stops the store at the slot before it, until a replay or the RPC node delivers it;
/readyz shows the gap. Ctrl-C stops the command. Everything finalized by then is in the store.
${memoryUsage}

Example:
  lamplight follow yellowstone https://grpc.example:443 --store sqlite:chain.db`;

export const followYellowstoneCommand: Command = {
  name: "follow yellowstone",
  summary: "keep a store in sync with a Yellowstone gRPC stream",
  usage,
  run: (args) => followUntilStopped(readRun(args)),
};

const options = {
  token: { type: "string" },
  commitment: { type: "string" },
  "repair-rpc": { type: "string" },
  ...fillOptions,
  ...followOptions,
} as const;

/** @throws LamplightError `CLI__USAGE` */
const readRun = (args: readonly string[]): FollowRun => {
  const { values, positionals } = parseWords(args, options);
  const [url] = positionals;
  if (url === undefined || positionals.length > 1)
    throw usageError(
      "expected exactly one URL, as in: lamplight follow yellowstone https://grpc.example:443",
    );
  const { name } = parseServerAddress(url);
  const flags = readFollowFlags(values);
  const repairRpc = values["repair-rpc"] ?? process.env["LAMPLIGHT_REPAIR_RPC"] ?? null;
  const upstream: Upstream = {
    kind: "yellowstone",
    url,
    token: values.token ?? process.env["LAMPLIGHT_YELLOWSTONE_TOKEN"] ?? null,
    commitment: commitmentOf(values.commitment ?? "processed"),
    repairRpc,
    ...fillSnapshotOf(values, { store: storeUrlOf(values), repairRpc }),
  };
  return { flags, upstream, what: name };
};

const commitmentOf = (text: string): "processed" | "confirmed" => {
  if (text === "processed" || text === "confirmed") return text;
  throw usageError("--commitment must be processed or confirmed");
};
