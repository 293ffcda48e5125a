import type { Profile } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import { DEFAULT_PORT, type FurtherContract, resolveMethods } from "@lamplight/server/command";
import type { Endpoint } from "@lamplight/sources/endpoint";

/** Options for `parseArgs`. */
export const endpointOptions = {
  url: { type: "string" },
  store: { type: "string" },
  profile: { type: "string" },
} as const;

export interface EndpointFlags {
  readonly url?: string | undefined;
  readonly store?: string | undefined;
  readonly profile?: string | undefined;
  /** Only over a store: the address of a server names the contract. */
  readonly methods?: string | undefined;
  /** The flag and the variable that choose another server, where it is not `--url`. */
  readonly setting?: string;
  /** Whether many calls follow, as in `HttpEndpointOptions`. */
  readonly isSeries?: boolean;
  /** Ends waits of a series. */
  readonly signal?: AbortSignal;
}

export const defaultEndpointUrl = `http://127.0.0.1:${DEFAULT_PORT}/v3/demo`;

/** The flag and the variable that choose the server of `call`, `diff` and `wait`. */
export const urlSettings = "--url or LAMPLIGHT_URL";

export const endpointUsage = `  --url      server to ask, key included (${defaultEndpointUrl}, as lamplight dev and demo serve).
             LAMPLIGHT_URL is the same, and does not show the key to other users of this machine
  --store    ask a store without a server, as sqlite:FILE or postgres://…
  --profile  spec, or agave: the answers that Solana clients get (spec)`;

/** @throws LamplightError `CLI__USAGE`, of the STORE family */
export const openEndpoint = async (
  { url, store, profile: word, methods, setting, isSeries = false, signal }: EndpointFlags,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Endpoint> => {
  if (url !== undefined && store !== undefined) throw usageError("--url and --store exclude each other");
  const profile = readProfile(word);
  if (store !== undefined)
    return (await import("./store-endpoint.ts")).openStoreEndpoint(store, profile, readMethods(methods));
  const { openHttpEndpoint } = await import("@lamplight/sources/endpoint");
  return openHttpEndpoint({
    url: urlOf(url, environment),
    isSolanaClient: profile === "agave",
    setting: setting ?? urlSettings,
    isSeries,
    ...(signal === undefined ? {} : { signal }),
  });
};

export const urlOf = (flag: string | undefined, environment: NodeJS.ProcessEnv): string =>
  flag ?? (environment["LAMPLIGHT_URL"] || defaultEndpointUrl);

export const readProfile = (word: string | undefined): Profile => {
  if (word === undefined || word === "spec" || word === "agave") return word ?? "spec";
  throw usageError("--profile must be spec or agave");
};

/** The contract whose methods are called over a store. @throws LamplightError `CLI__USAGE` */
export const readMethods = (word: string | undefined): readonly FurtherContract[] =>
  resolveMethods(word, undefined) ?? [];
