import { findAddress } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import { type FollowTargets, parseEndpoint, socketEndpointOf } from "@lamplight/sources";

/** What `follow rpc` and `serve --follow rpc` are told of a node and of what to follow. */
export interface RpcFlags {
  readonly url: string;
  /** Null = the node is only asked. */
  readonly socketUrl: string | null;
  readonly targets: FollowTargets;
  readonly censusMs: number | null;
  readonly pollMs: number | null;
}

/** For `parseArgs`. */
export const rpcOptions = {
  ws: { type: "string" },
  "no-ws": { type: "boolean" },
  program: { type: "string", multiple: true },
  account: { type: "string", multiple: true },
  mint: { type: "string", multiple: true },
  tree: { type: "string", multiple: true },
  "census-seconds": { type: "string" },
  "poll-seconds": { type: "string" },
} as const;

/** As `parseArgs` gives them. */
export interface RpcOptionValues {
  readonly ws?: string | undefined;
  readonly "no-ws"?: boolean | undefined;
  readonly program?: readonly string[] | undefined;
  readonly account?: readonly string[] | undefined;
  readonly mint?: readonly string[] | undefined;
  readonly tree?: readonly string[] | undefined;
  readonly "census-seconds"?: string | undefined;
  readonly "poll-seconds"?: string | undefined;
}

export const rpcUsage = `  --ws              WebSocket of the node; without it the port above that of the URL, or the same host where it names none.
                    Better as LAMPLIGHT_RPC_WS_URL where it holds a key
  --no-ws           only asks the node, again and again
  --program         a program, all of whose accounts are followed; this and the next may be given more than once
  --account         a single account
  --mint            a token: its mint, metadata and token accounts
  --tree            a merkle tree: its compressed assets, by its transactions
  --census-seconds  from one reading of everything to the next, which finds closed accounts (60)
  --poll-seconds    the same without a WebSocket (2)`;

const secondsMax = 86_400;

/**
 * @param url - null = from LAMPLIGHT_RPC_URL
 * @throws LamplightError `CLI__USAGE`
 */
export const readRpcFlags = (
  url: string | null,
  values: RpcOptionValues,
  environment: NodeJS.ProcessEnv,
): RpcFlags => {
  const text = url ?? environment["LAMPLIGHT_RPC_URL"] ?? "";
  if (text === "") throw usageError("the URL of the node is missing; it may also stand in LAMPLIGHT_RPC_URL");
  parseEndpoint(text, ["http:", "https:"]);
  return {
    url: text,
    socketUrl: socketUrlOf(text, values, environment),
    targets: {
      programs: addresses("--program", values.program),
      accounts: addresses("--account", values.account),
      mints: addresses("--mint", values.mint),
      trees: addresses("--tree", values.tree),
    },
    censusMs: milliseconds("--census-seconds", values["census-seconds"]),
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

const addresses = (flag: string, texts: readonly string[] = []): readonly string[] => {
  const wrong = texts.find((text) => findAddress(text) === null);
  if (wrong === undefined) return [...new Set(texts)];
  throw usageError(`${flag} takes an address in base58; got ${JSON.stringify(wrong.slice(0, 64))}`);
};

const milliseconds = (flag: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text) && seconds > 0 && seconds <= secondsMax) return Math.ceil(seconds * 1000);
  throw usageError(`${flag} must be a number of seconds above 0, up to ${secondsMax}`);
};

const usageError = (reason: string): LamplightError => new LamplightError("CLI__USAGE", { reason });
