import { usageError } from "@lamplight/errors";
import type { RpcUpstream } from "@lamplight/runtime/follow";
import type { parseFlags } from "@lamplight/server/command";
import { parseEndpoint, socketEndpointOf } from "@lamplight/sources/addresses";
import { aliasWords, readAddresses } from "./address-words.ts";

/** Options for `parseArgs`. */
export const rpcOptions = {
  ws: { type: "string" },
  "no-ws": { type: "boolean" },
  program: { type: "string", multiple: true },
  account: { type: "string", multiple: true },
  mint: { type: "string", multiple: true },
  tree: { type: "string", multiple: true },
  "rescan-seconds": { type: "string" },
  "poll-seconds": { type: "string" },
} as const;

/** Option values as `parseArgs` gives them. */
export type RpcOptionValues = ReturnType<typeof parseFlags<typeof rpcOptions>>;

export const rpcUsage = `  --ws              WebSocket of the node. Default: the port after the URL's, or the same host if the URL has no port.
                    If it contains a key, use LAMPLIGHT_RPC_WS_URL
  --no-ws           do not open a WebSocket; poll the node
  --program         follow all accounts of a program; this and the next three may be repeated. An address, or
                    ${aliasWords}
  --account         follow a single account
  --mint            follow a token: its mint, metadata and token accounts
  --tree            follow a Merkle tree: its compressed assets, by its transactions
  --rescan-seconds  seconds between full rescans, which find closed accounts (60)
  --poll-seconds    seconds between polls without a WebSocket (2)`;

const SECONDS_MAX = 86_400;

/**
 * @param url - null = from LAMPLIGHT_RPC_URL
 * @throws LamplightError `CLI__USAGE`
 */
export const readRpcFlags = (
  url: string | null,
  values: RpcOptionValues,
  environment: NodeJS.ProcessEnv,
): RpcUpstream => {
  const text = url ?? environment["LAMPLIGHT_RPC_URL"] ?? "";
  if (text === "") throw usageError("the URL of the node is missing; set --url or LAMPLIGHT_RPC_URL");
  parseEndpoint(text, ["http:", "https:"]);
  return {
    url: text,
    socketUrl: socketUrlOf(text, values, environment),
    targets: {
      programs: readAddresses("--program", values.program),
      accounts: readAddresses("--account", values.account),
      mints: readAddresses("--mint", values.mint),
      trees: readAddresses("--tree", values.tree),
    },
    rescanMs: milliseconds("--rescan-seconds", values["rescan-seconds"]),
    pollMs: milliseconds("--poll-seconds", values["poll-seconds"]),
  };
};

const socketUrlOf = (
  url: string,
  { ws, "no-ws": none = false }: RpcOptionValues,
  environment: NodeJS.ProcessEnv,
): string | null => {
  if (none && ws !== undefined) throw usageError("--ws and --no-ws exclude each other");
  if (none) return null;
  const text = ws ?? environment["LAMPLIGHT_RPC_WS_URL"] ?? socketEndpointOf(url);
  parseEndpoint(text, ["ws:", "wss:"]);
  return text;
};

const milliseconds = (flag: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text) && seconds > 0 && seconds <= SECONDS_MAX)
    return Math.ceil(seconds * 1000);
  throw usageError(`${flag} must be a number of seconds above 0, up to ${SECONDS_MAX}`);
};
