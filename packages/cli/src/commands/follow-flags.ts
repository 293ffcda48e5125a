import { nearestName } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { resolveMaxStaleSeconds, serveFlagNames } from "@lamplight/server/command";
import { parseServerAddress } from "@lamplight/sources/yellowstone";
import type { RpcUpstream } from "@lamplight/runtime";
import { readRpcFlags, type RpcOptionValues, rpcOptions } from "./follow-rpc-flags.ts";

/** What `serve --follow` was reported. */
export interface ServeFollowFlags {
  readonly source:
    /** URL of the Yellowstone server. */
    | { readonly kind: "yellowstone"; readonly url: string }
    | { readonly kind: "rpc"; readonly flags: RpcUpstream };
}

const ownOptions: Readonly<Record<string, FlagOption>> = {
  follow: { type: "string" },
  ...rpcOptions,
};

interface FlagOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
}

type Taken = Readonly<Record<string, readonly string[]>>;

/**
 * Takes `--follow` and what belongs to it out of the arguments of `serve`.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const takeFollowFlags = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): { readonly follow: ServeFollowFlags | null; readonly rest: readonly string[] } => {
  const { taken, rest } = takeOwn(args);
  assertKnown(rest);
  const source = taken["follow"]?.[0];
  if (source === undefined) {
    const [stray] = Object.keys(taken);
    if (stray !== undefined) throw usageError(`--${stray} needs --follow`);
    return { follow: null, rest };
  }
  return { follow: { source: parseSource(source, taken, environment) }, rest };
};

/** Where the nearest name is one of ours: `serve` knows only its own. */
const assertKnown = (rest: readonly string[]): void => {
  const own = Object.keys(ownOptions);
  for (const arg of rest) {
    const [name] = splitFlag(arg);
    if (name === null || serveFlagNames.includes(name)) continue;
    const nearest = nearestName(name, [...serveFlagNames, ...own]);
    if (nearest !== undefined && own.includes(nearest))
      throw usageError(`Unknown option '--${name}'; did you mean --${nearest}?`);
  }
};

const parseSource = (
  text: string,
  taken: Taken,
  environment: NodeJS.ProcessEnv,
): ServeFollowFlags["source"] => {
  const [kind, url] = text.split(/=(.*)/su);
  if (kind === "rpc") {
    return { kind, flags: readRpcFlags(url ?? null, valuesOf(taken), environment) };
  }
  const stray = Object.keys(taken).find((name) => Object.hasOwn(rpcOptions, name));
  if (stray !== undefined) throw usageError(`--${stray} needs --follow rpc`);
  if (kind === "yellowstone" && url !== undefined && /^https?:\/\/[^/]/u.test(url)) {
    parseServerAddress(url);
    return { kind, url };
  }
  throw usageError("--follow must be yellowstone=URL or rpc=URL, with an http:// or https:// URL");
};

const takeOwn = (args: readonly string[]): { readonly taken: Taken; readonly rest: readonly string[] } => {
  const rest: string[] = [];
  const taken: Record<string, string[]> = {};
  for (let index = 0; index < args.length; index += 1) {
    const [name, inline] = splitFlag(args[index]!);
    const option = name !== null && Object.hasOwn(ownOptions, name) ? ownOptions[name] : undefined;
    if (name === null || option === undefined) {
      rest.push(args[index]!);
      continue;
    }
    const needsNext = option.type === "string" && inline === null;
    if (needsNext) index += 1;
    const value = option.type === "boolean" ? (inline ?? "true") : (inline ?? args[index]);
    const isRepeated = Object.hasOwn(taken, name) && option.multiple !== true;
    if (value === undefined || isRepeated) throw usageError(`--${name} needs exactly one value`);
    (taken[name] ??= []).push(value);
  }
  return { taken, rest };
};

const valuesOf = (taken: Taken): RpcOptionValues => ({
  ws: taken["ws"]?.[0],
  "no-ws": taken["no-ws"] !== undefined,
  program: taken["program"],
  account: taken["account"],
  mint: taken["mint"],
  tree: taken["tree"],
  "rescan-seconds": taken["rescan-seconds"]?.[0],
  "poll-seconds": taken["poll-seconds"]?.[0],
});

/**
 * @param flag - of `--max-stale-seconds`; LAMPLIGHT_MAX_STALE_SECONDS is the same
 * @throws LamplightError `CLI__USAGE`, `CONFIG__INVALID`
 */
export const readMaxStaleSeconds = (flag: string | undefined): number | null =>
  resolveMaxStaleSeconds(flag, process.env["LAMPLIGHT_MAX_STALE_SECONDS"] || undefined) ?? null;

/** @throws LamplightError `CLI__USAGE` */
export const parsePort = (flag: string, text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw usageError(`${flag} must be a port, 0 to 65535`);
};

const splitFlag = (arg: string): readonly [name: string | null, inline: string | null] => {
  if (!arg.startsWith("--")) return [null, null];
  const at = arg.indexOf("=");
  return at > 0 ? [arg.slice(2, at), arg.slice(at + 1)] : [arg.slice(2), null];
};
