import { usageError } from "@lamplight/errors";
import { parseServerAddress } from "@lamplight/sources/addresses";
import type { RpcUpstream } from "@lamplight/runtime/follow";
import type { parseFlags } from "@lamplight/server/command";
import { readRpcFlags, type RpcOptionValues, rpcOptions } from "../follow-rpc-flags.ts";
import { betweenOptions } from "./follow-flags.ts";

/** The source that `serve --follow` names. */
export type FollowedSource =
  /** URL of the Yellowstone server. */
  | { readonly kind: "yellowstone"; readonly url: string }
  | { readonly kind: "rpc"; readonly flags: RpcUpstream };

/** Options that `serve` takes besides those of the server package, for `parseArgs`. */
export const serveFollowOptions = { follow: { type: "string" }, ...betweenOptions, ...rpcOptions } as const;

/**
 * Reads `--follow` and what belongs to it.
 *
 * @returns null without `--follow`
 * @throws LamplightError `CLI__USAGE`
 */
export const readFollowedSource = (
  values: ReturnType<typeof parseFlags<typeof serveFollowOptions>>,
  environment: NodeJS.ProcessEnv,
): FollowedSource | null => {
  const { follow } = values;
  const [kind, url] = follow?.split(/=(.*)/su) ?? [];
  if (kind === "rpc") return { kind, flags: readRpcFlags(url ?? null, values, environment) };
  const given = (options: object): string | undefined =>
    Object.keys(options).find((name) => values[name as keyof RpcOptionValues] !== undefined);
  const stray = given(rpcOptions);
  if (stray !== undefined) throw usageError(`--${stray} needs --follow${follow === undefined ? "" : " rpc"}`);
  if (follow === undefined) {
    const between = given(betweenOptions);
    if (between !== undefined) throw usageError(`--${between} needs --follow`);
    return null;
  }
  if (kind === "yellowstone" && url !== undefined && /^https?:\/\/[^/]/u.test(url)) {
    parseServerAddress(url);
    return { kind, url };
  }
  throw usageError("--follow must be yellowstone=URL or rpc=URL, with an http:// or https:// URL");
};
