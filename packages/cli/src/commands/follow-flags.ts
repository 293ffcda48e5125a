import { LamplightError } from "@lamplight/errors";

/** What `serve --follow` was told. */
export interface ServeFollowFlags {
  /** Of the Yellowstone server. */
  readonly url: string;
  readonly metricsPort: number | null;
}

/**
 * Takes `--follow` and `--metrics-port` out of the arguments of `serve`.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const takeFollowFlags = (
  args: readonly string[],
): { readonly follow: ServeFollowFlags | null; readonly rest: readonly string[] } => {
  const rest: string[] = [];
  const taken = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const [name, inline] = splitFlag(args[index]!);
    if (name !== "--follow" && name !== "--metrics-port") {
      rest.push(args[index]!);
      continue;
    }
    if (inline === null) index += 1;
    const value = inline ?? args[index];
    if (value === undefined || taken.has(name)) throw usageError(`${name} is wanted once, with a value`);
    taken.set(name, value);
  }
  const source = taken.get("--follow");
  const port = taken.get("--metrics-port");
  if (source === undefined) {
    if (port !== undefined) throw usageError("--metrics-port belongs to --follow");
    return { follow: null, rest };
  }
  const url = /^yellowstone=(https?:\/\/[^/].*)$/u.exec(source)?.[1];
  if (url === undefined)
    throw usageError("--follow must be yellowstone=URL, with an http:// or https:// URL");
  return {
    follow: { url, metricsPort: port === undefined ? null : parsePort("--metrics-port", port) },
    rest,
  };
};

/** @throws LamplightError `CLI__USAGE` */
export const parsePort = (flag: string, text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw usageError(`${flag} must be a port, 0 to 65535`);
};

const splitFlag = (arg: string): readonly [name: string, inline: string | null] => {
  const at = arg.indexOf("=");
  return arg.startsWith("--") && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, null];
};

const usageError = (reason: string): LamplightError => new LamplightError("CLI__USAGE", { reason });
