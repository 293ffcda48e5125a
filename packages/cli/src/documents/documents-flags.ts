import { isIP } from "node:net";

import { usageError } from "@lamplight/errors";
import {
  createDirectoryFetcher,
  createNetworkFetcher,
  type DocumentFetcher,
  type HostLimits,
  type NetworkFetcherOptions,
} from "@lamplight/offchain";
import { apiVersion, type MetricsAddress, parseWords } from "@lamplight/server/command";

import { metricsOptions, readMetricsAddress } from "../metrics-flags.ts";
import { jsonOption, jsonUsage } from "../output.ts";

export const documentsUsage = `[URI…] --store URL [--watch] [--from FOLDER] [--ipfs-gateway URL]… [--arweave-gateway URL]…
  [--allow-address IP]… [--allow-port PORT]… [--user-agent TEXT] [--host-limit HOST=RATE[/AT_ONCE]]…
  [--requests-at-once N] [--refresh-hours N] [--prune-days N] [--metrics-port PORT] [--metrics-host HOST] [--json]

  URI                 document to fetch again now, whatever its state
  --store             store whose assets' JSON is fetched, as sqlite:FILE or postgres://…. Another
                      process may follow the chain into it at the same time
  --watch             run until stopped, and fetch what becomes due and the documents of new assets
  --from              read documents from a folder instead of the network; each file name is the sha256 of its URI in hex
  --ipfs-gateway      replaces the built-in gateways, tried in order: https://HOST/ipfs/
  --arweave-gateway   replaces the built-in gateways: https://HOST/
  --allow-address     address of a gateway of your own outside the public internet; only paths of the gateways above
                      are requested there, never a URL that an asset names
  --allow-port        port that may be requested in addition to 80, 443 and 8080
  --user-agent        sent to servers; include an address for complaints
  --host-limit        requests a second of a host, and how many at once (4): cdn.example.com=100/16. The host * sets it
                      for all others (10/4)
  --requests-at-once  requests at once of all hosts together (64)
  --refresh-hours     request a document again after so long, in addition to when an asset that names it changes. A server
                      with ETag or Last-Modified sends it only if it changed; documents named by their hash never change
  --prune-days        remove documents that no asset names any more, so many days after an asset first named them; with --watch
                      once a day. An asset that names such a URI again gets its document again. A burnt asset keeps its own
  --metrics-port      serve /metrics (Prometheus), /readyz and /livez on this port while it runs; 0 picks a free one
  --metrics-host      address for these (127.0.0.1)
  --json              ${jsonUsage}

Only this command fetches off-chain JSON. It prints the number of URIs in each state. It can be stopped at any time, and goes
on with what is still due. After a failure, a URI is tried again: soon if the network or the server failed, after a day if the
server has no document (gone) or it is no JSON, and never if it is too large or refused.

Example:
  lamplight fetch documents --store sqlite:index.db`;

/** Times that `--host-limit` may be given. */
const HOST_LIMITS_MAX = 1000;
/** Requests a second of one host. */
const RATE_MIN = 0.01;
const RATE_MAX = 10_000;
/** Requests at once, of one host and of all. */
const AT_ONCE_MAX = 1024;
/** Requests at once of a host whose limit names none. */
const HOST_AT_ONCE = 4;
const HOUR_MS = 3_600_000;
/** Ten years. */
const REFRESH_HOURS_MAX = 87_600;
const PRUNE_DAYS_MAX = 3650;

export interface DocumentsFlags {
  readonly store: string;
  readonly json: boolean | undefined;
  readonly watch: boolean;
  readonly uris: readonly string[];
  readonly fetcher: DocumentFetcher;
  readonly requestsAtOnce: number | undefined;
  /** Null = documents that no asset names any more are kept. */
  readonly orphansMs: number | null;
  /** Null = documents are not requested again for their age. */
  readonly refreshMs: number | null;
  readonly metrics: MetricsAddress | null;
}

const textOption = { type: "string" } as const;
const listOption = { type: "string", multiple: true } as const;

const options = {
  store: textOption,
  watch: { type: "boolean" },
  from: textOption,
  "ipfs-gateway": listOption,
  "arweave-gateway": listOption,
  "allow-address": listOption,
  "allow-port": listOption,
  "user-agent": textOption,
  "host-limit": listOption,
  "requests-at-once": textOption,
  "refresh-hours": textOption,
  "prune-days": textOption,
  ...metricsOptions,
  ...jsonOption,
} as const;

/** @throws LamplightError `CLI__USAGE` */
export const readDocumentsFlags = (args: readonly string[]): DocumentsFlags => {
  const { values, positionals } = parseWords(args, options);
  if (values.store === undefined) throw usageError("--store is missing");
  const ports = values["allow-port"]?.map(parsePort);
  const network: NetworkFetcherOptions = {
    userAgent: values["user-agent"] ?? `lamplight/${apiVersion}`,
    ...(values["ipfs-gateway"] && { ipfsGateways: values["ipfs-gateway"].map(parseGateway) }),
    ...(values["arweave-gateway"] && { arweaveGateways: values["arweave-gateway"].map(parseGateway) }),
    ...(values["allow-address"] && { allowedAddresses: new Set(values["allow-address"].map(parseAddress)) }),
    ...(ports && { ports: [80, 443, 8080, ...ports] }),
    ...readHostLimits(values["host-limit"] ?? []),
  };
  const fetcher =
    values.from === undefined ? createNetworkFetcher(network) : createDirectoryFetcher(values.from);
  const { store, json, watch = false } = values;
  const refreshHours = readNumber("--refresh-hours", values["refresh-hours"], REFRESH_HOURS_MAX);
  const pruneDays = readNumber("--prune-days", values["prune-days"], PRUNE_DAYS_MAX);
  return {
    store,
    json,
    watch,
    uris: positionals,
    fetcher,
    requestsAtOnce: readNumber("--requests-at-once", values["requests-at-once"], AT_ONCE_MAX),
    orphansMs: pruneDays === undefined ? null : pruneDays * 24 * HOUR_MS,
    refreshMs: refreshHours === undefined ? null : refreshHours * HOUR_MS,
    metrics: readMetricsAddress(values),
  };
};

const parseAddress = (text: string): string => {
  if (isIP(text) !== 0) return text;
  throw usageError(`--allow-address ${JSON.stringify(text.slice(0, 50))} is no IP address`);
};

const parsePort = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError(`--allow-port ${JSON.stringify(text.slice(0, 20))} is no port`);
};

const parseGateway = (text: string): string => {
  if (/^https?:[^?#]+$/.test(text) && URL.canParse(text)) return text.endsWith("/") ? text : `${text}/`;
  throw usageError(`gateway ${JSON.stringify(text.slice(0, 100))} is not a URL that a CID or id can follow`);
};

/** A whole number from 1 on. */
const readNumber = (flag: string, text: string | undefined, most: number): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= 1 && value <= most) return value;
  throw usageError(`${flag} ${JSON.stringify(text.slice(0, 20))} is no number from 1 to ${most}`);
};

/** `HOST=RATE` or `HOST=RATE/AT_ONCE`; the host `*` is the default of all others. */
const readHostLimits = (texts: readonly string[]): Pick<NetworkFetcherOptions, "hostLimits" | "limits"> => {
  if (texts.length > HOST_LIMITS_MAX)
    throw usageError(`--host-limit is given more than ${HOST_LIMITS_MAX} times`);
  const pairs = new Map(texts.map(parseHostLimit));
  const ofOthers = pairs.get("*");
  pairs.delete("*");
  return {
    hostLimits: pairs,
    ...(ofOthers && {
      limits: {
        requestsPerSecondPerHost: ofOthers.requestsPerSecond,
        requestsAtOncePerHost: ofOthers.requestsAtOnce,
        requestsAtOncePerQueue: ofOthers.requestsAtOnce,
      },
    }),
  };
};

const parseHostLimit = (text: string): readonly [host: string, limits: HostLimits] => {
  const match = /^(\*|[a-z0-9_.:[\]-]+)=(\d+(?:\.\d+)?)(?:\/(\d+))?$/iu.exec(text);
  const [, host = "", rate = "", atOnce] = match ?? [];
  const requestsPerSecond = Number(rate);
  const requestsAtOnce = atOnce === undefined ? HOST_AT_ONCE : Number(atOnce);
  const isRate = requestsPerSecond >= RATE_MIN && requestsPerSecond <= RATE_MAX;
  if (match === null || !isRate || requestsAtOnce < 1 || requestsAtOnce > AT_ONCE_MAX)
    throw usageError(
      `--host-limit ${JSON.stringify(text.slice(0, 100))} is not HOST=RATE or HOST=RATE/AT_ONCE, with a rate from ${RATE_MIN} to ${RATE_MAX} and up to ${AT_ONCE_MAX} at once`,
    );
  return [host.toLowerCase().replace(/\.$/u, ""), { requestsPerSecond, requestsAtOnce }];
};
