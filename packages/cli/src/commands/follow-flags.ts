import { usageError } from "@lamplight/errors";
import { resolveMaxStaleSeconds } from "@lamplight/server/command";
import { parseServerAddress } from "@lamplight/sources/yellowstone";
import { engineOf, type RpcUpstream } from "@lamplight/runtime";
import { readRpcFlags, type RpcOptionValues, rpcOptions } from "../follow-rpc-flags.ts";

/** The source that `serve --follow` names. */
export type FollowedSource =
  /** URL of the Yellowstone server. */
  | { readonly kind: "yellowstone"; readonly url: string }
  | { readonly kind: "rpc"; readonly flags: RpcUpstream };

/** Options that `serve` takes besides those of the server package, for `parseArgs`. */
export const followOptions = {
  follow: { type: "string" },
  "no-derive": { type: "boolean" },
  "no-sample": { type: "boolean" },
  ...rpcOptions,
} as const;

/**
 * Reads `--follow` and what belongs to it.
 *
 * @returns null without `--follow`
 * @throws LamplightError `CLI__USAGE`
 */
export const readFollowFlags = (
  {
    follow,
    "no-derive": noDerive,
    "no-sample": noSample,
    ...rpc
  }: RpcOptionValues & {
    readonly follow?: string | undefined;
    readonly "no-derive"?: boolean | undefined;
    readonly "no-sample"?: boolean | undefined;
  },
  environment: NodeJS.ProcessEnv,
): FollowedSource | null => {
  const [kind, url] = follow?.split(/=(.*)/su) ?? [];
  if (kind === "rpc") return { kind, flags: readRpcFlags(url ?? null, rpc, environment) };
  const stray = Object.keys(rpcOptions).find((name) => rpc[name as keyof RpcOptionValues] !== undefined);
  if (stray !== undefined) throw usageError(`--${stray} needs --follow${follow === undefined ? "" : " rpc"}`);
  if (follow === undefined && noDerive === true) throw usageError("--no-derive needs --follow");
  if (follow === undefined && noSample === true) throw usageError("--no-sample needs --follow");
  if (follow === undefined) return null;
  if (kind === "yellowstone" && url !== undefined && /^https?:\/\/[^/]/u.test(url)) {
    parseServerAddress(url);
    return { kind, url };
  }
  throw usageError("--follow must be yellowstone=URL or rpc=URL, with an http:// or https:// URL");
};

/**
 * @param flag - of `--max-stale-seconds`; LAMPLIGHT_MAX_STALE_SECONDS is the same
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`
 */
export const readMaxStaleSeconds = (flag: string | undefined): number | null =>
  resolveMaxStaleSeconds(flag, process.env["LAMPLIGHT_MAX_STALE_SECONDS"] || undefined) ?? null;

/** The store's URL with what the flags allow. */
export const allowed = (store: string, flags: { readonly "auto-migrate"?: boolean | undefined }): string =>
  flags["auto-migrate"] === true ? engineOf(store).autoMigrate(store) : store;

/** @throws LamplightError `CLI__USAGE` */
export const parsePort = (flag: string, text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw usageError(`${flag} must be a port, 0 to 65535`);
};
