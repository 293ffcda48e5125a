import { existsSync } from "node:fs";
import { usageError } from "@lamplight/errors";
import { engineOf } from "@lamplight/runtime";
import { parseWords } from "@lamplight/server/command";
import { parseEndpoint } from "@lamplight/sources/addresses";
import { assertNodeAnswers } from "@lamplight/sources/rpc";
import type { Command } from "../command.ts";
import { followOptions, followUsage, memoryUsage, readFollowFlags } from "./follow-flags.ts";
import { readRpcFlags, rpcOptions, rpcUsage } from "../follow-rpc-flags.ts";
import { type FollowRun, followUntilStopped } from "./follow-until-stopped.ts";

const usage = `[--url URL] --store URL [--ws URL | --no-ws] [--program ADDRESS]… [--account ADDRESS]…
           [--mint ADDRESS]… [--tree ADDRESS]… [--rescan-seconds N] [--poll-seconds N] [--standby]
           [--metrics-port PORT] [--metrics-host HOST] [--max-stale-seconds N] [--no-derive] [--no-sample]
           [--auto-migrate]

  --url             URL of the node's JSON-RPC, also accepted as the first word. If it contains a key, use
                    LAMPLIGHT_RPC_URL: other users of this machine see command lines
  --store           store to keep in sync, as sqlite:FILE or postgres://…, or LAMPLIGHT_STORE; created if missing
${rpcUsage}
${followUsage}

Without --program, --account, --mint and --tree a new store follows everything that the node lists: the programs of every
loader, the native programs and the System program. Each full rescan looks for more.
The command fills the store with what it lacks, then keeps it in sync. What the store covers already is followed without
being named. Processed reads are answered with the confirmed slot.
RPC nodes do not report closed accounts. Full rescans find them; /readyz shows the age of the last one and its limit.
Ctrl-C stops the command. Everything finalized by then is in the store.
${memoryUsage}

Examples:
  lamplight follow rpc --url http://127.0.0.1:8899 --store sqlite:local.db
  lamplight follow rpc --url https://rpc.example --store sqlite:some.db --program ADDRESS`;

export const followRpcCommand: Command = {
  name: "follow rpc",
  summary: "keep a store in sync with any JSON-RPC node",
  usage,
  run: (args) => followUntilStopped(readRun(args)),
};

const options = { url: { type: "string" }, ...followOptions, ...rpcOptions } as const;

/** @throws LamplightError `CLI__USAGE` */
const readRun = (args: readonly string[]): FollowRun => {
  const { values, positionals } = parseWords(args, options);
  if (positionals.length + (values.url === undefined ? 0 : 1) > 1)
    throw usageError("expected exactly one URL");
  const flags = readFollowFlags(values);
  const upstream = readRpcFlags(values.url ?? positionals[0] ?? null, values, process.env);
  return {
    flags,
    upstream: { kind: "rpc", ...upstream },
    create: true,
    what: parseEndpoint(upstream.url, ["http:", "https:"]).name,
    // A wrong URL must not leave an empty store.
    prepare: async (signal) => {
      if (isMissing(flags.store)) await assertNodeAnswers(upstream.url, signal);
    },
  };
};

/** @throws LamplightError `STORE__URL` */
const isMissing = (store: string): boolean => {
  const file = engineOf(store).fileOf(store);
  return file !== null && !existsSync(file);
};
