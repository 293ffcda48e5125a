// Fetches documents from the network. Strangers choose the URIs, so every hop is checked and every quantity is
// bounded.

import type { IncomingMessage } from "node:http";
import { documentQueueOf, gatewayQueues } from "@lamplight/core";
import { parseRetryAfter } from "@lamplight/errors";
import { isPublicAddress } from "./address-guard.ts";
import { decodeDataUri } from "./decode-data-uri.ts";
import {
  type DocumentFetcher,
  failure,
  FetchFault,
  type FetchFailureStatus,
  type FetchOutcome,
  type Validators,
} from "./fetch-outcome.ts";
import { HostLimiter, type HostLimits, type Place } from "./host-limiter.ts";
import { offchainLimits, type OffchainLimits } from "./offchain-limits.ts";
import { mediaTypeOf, readJsonBody, readMedia } from "./read-body.ts";
import { acceptedEncodings, readResponse } from "./read-response.ts";
import { type AddressPolicy, createResolver, resolveChecked } from "./resolve-host.ts";
import {
  type Candidate,
  defaultUriPolicy,
  findUrlFault,
  isBelowScope,
  resolveUri,
  type UriPolicy,
} from "./resolve-uri.ts";
import { sendRequest } from "./send-request.ts";

export interface NetworkFetcherOptions extends Partial<UriPolicy>, Partial<AddressPolicy> {
  /** Sent with every request as `User-Agent`: names this program and a contact. */
  readonly userAgent?: string;
  readonly limits?: Partial<OffchainLimits>;
  /** Limits of hosts by name, in place of `requestsAtOncePerHost` and `requestsPerSecondPerHost`. */
  readonly hostLimits?: ReadonlyMap<string, HostLimits>;
  readonly nowMs?: () => number;
}

type Settings = UriPolicy &
  AddressPolicy & {
    readonly userAgent: string;
    readonly limits: OffchainLimits;
    readonly nowMs: () => number;
    readonly hosts: HostLimiter;
  };

/** Proxy variables of the environment are not read, because a proxy would bypass the address checks. */
export const createNetworkFetcher = (options: NetworkFetcherOptions = {}): DocumentFetcher => {
  const limits = { ...offchainLimits, ...options.limits };
  const { hostLimits = new Map<string, HostLimits>() } = options;
  const defaultLimits = {
    requestsAtOnce: limits.requestsAtOncePerHost,
    requestsPerSecond: limits.requestsPerSecondPerHost,
  };
  const settings: Settings = {
    ...defaultUriPolicy,
    resolve: createResolver(),
    allowedAddresses: new Set(),
    isPublic: isPublicAddress,
    userAgent: "lamplight",
    nowMs: Date.now,
    ...options,
    limits,
    hosts: new HostLimiter((host) => hostLimits.get(host) ?? defaultLimits),
  };
  const places = placesByQueue(hostLimits, settings);
  return {
    fetch: (uri, validators, signal) => fetchUri(uri, validators, signal, settings),
    startDelayMs: (uri) => startDelayMs(uri, settings),
    placesOf: (queue) =>
      places.get(queue) ??
      (gatewayQueues.has(queue) ? limits.requestsAtOncePerGatewayQueue : limits.requestsAtOncePerQueue),
  };
};

/** A queue has the places of its configured hosts together, and never less than the default. */
const placesByQueue = (
  hosts: ReadonlyMap<string, HostLimits>,
  { arweaveGateways, ipfsGateways, limits }: Settings,
): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  for (const [host, { requestsAtOnce }] of hosts) {
    const isOf = (gateway: string): boolean => new URL(gateway).hostname === host;
    const queues = [
      ...(ipfsGateways.some(isOf) ? ["ipfs"] : []),
      ...(arweaveGateways.some(isOf) ? ["arweave"] : []),
      documentQueueOf(`https://${host}/`),
    ];
    for (const queue of queues) places.set(queue, (places.get(queue) ?? 0) + requestsAtOnce);
  }
  for (const [queue, sum] of places) {
    const { requestsAtOncePerGatewayQueue: ofGateways, requestsAtOncePerQueue: ofSite } = limits;
    places.set(queue, Math.max(sum, gatewayQueues.has(queue) ? ofGateways : ofSite));
  }
  return places;
};

/** One free candidate is enough. */
const startDelayMs = (uri: string, settings: Settings): number => {
  const resolved = resolveUri(uri, settings, settings.limits);
  if (resolved.kind !== "http") return 0;
  return Math.min(...resolved.candidates.map(({ href }) => settings.hosts.delayMs(new URL(href).hostname)));
};

const fetchUri = async (
  uri: string,
  validators: Validators,
  signal: AbortSignal,
  settings: Settings,
): Promise<FetchOutcome> => {
  const resolved = resolveUri(uri, settings, settings.limits);
  switch (resolved.kind) {
    case "refused":
      return failure("refused", resolved.reason);
    case "data":
      return readDataUri(resolved.uri, settings.limits);
    case "http": {
      const outcome = await fetchCandidates(uri, resolved.candidates, validators, signal, settings);
      return outcome.kind === "document" ? { ...outcome, immutable: resolved.immutable } : outcome;
    }
  }
};

const readDataUri = (uri: string, limits: OffchainLimits): FetchOutcome => {
  const body = decodeDataUri(uri);
  if (body === null) return failure("notJson", "the data URI is malformed");
  const outcome = toOutcome(readMedia(uri, body.mime) ?? readJsonBody(body.bytes, limits), {});
  return outcome.kind === "document" ? { ...outcome, immutable: true } : outcome;
};

/**
 * Returns the first candidate's document. If all fail, returns the failure that is most worth a retry, because
 * gateways fail in many ways.
 */
const fetchCandidates = async (
  uri: string,
  candidates: readonly Candidate[],
  validators: Validators,
  signal: AbortSignal,
  settings: Settings,
): Promise<FetchOutcome> => {
  let best: FetchOutcome | null = null;
  for (const candidate of candidates) {
    signal.throwIfAborted();
    const leftMs = settings.limits.totalTimeoutMs;
    const { href, scope } = candidate;
    const outcome = await followRedirects(
      { uri, scope, validators, signal, settings, leftMs },
      new URL(href),
    );
    if (outcome.kind !== "failure" || outcome.json !== null) return outcome;
    if (best === null || hopeOf(outcome) > hopeOf(best)) best = outcome;
  }
  return best ?? failure("refused", "no gateway or server is left to try");
};

const hope: readonly FetchFailureStatus[] = ["refused", "tooLarge", "notJson", "gone", "failed"];
const hopeOf = (outcome: FetchOutcome): number =>
  outcome.kind === "failure" ? hope.indexOf(outcome.status) : hope.length;

/** The state that all hops of one candidate share. */
interface Attempt {
  readonly uri: string;
  /** The scope of the candidate. A redirect that leaves it may only lead to the public internet. */
  readonly scope: string | null;
  readonly validators: Validators;
  readonly signal: AbortSignal;
  readonly settings: Settings;
  /** Time left for requests; waiting for a host does not count. */
  leftMs: number;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const followRedirects = async (attempt: Attempt, start: URL): Promise<FetchOutcome> => {
  const { settings } = attempt;
  let url = start;
  let downgrades = 0;
  let place: Place | null = null;
  try {
    for (let hop = 0; hop <= settings.limits.redirectsMax; hop += 1) {
      const fault = findUrlFault(url, settings);
      if (fault !== null) return failure("refused", hop === 0 ? fault : `redirect: ${fault}`);
      // A redirect within a host keeps its place.
      if (place?.host !== url.hostname) {
        place?.release();
        place = settings.hosts.take(url.hostname);
      }
      // Waiting here would block one of the places that all queues share.
      if (place === null) return failure("failed", "the host is busy with other documents");
      const next = await visit(attempt, url, place);
      if (!(next instanceof URL)) return next;
      if (url.protocol === "https:" && next.protocol === "http:") downgrades += 1;
      if (downgrades > 1) return failure("refused", "redirected from https to http more than once");
      url = next;
    }
    return failure("failed", `more than ${settings.limits.redirectsMax} redirects`);
  } finally {
    place?.release();
  }
};

/** Requests one URL. Returns the outcome, or the target of a redirect. */
const visit = async (attempt: Attempt, url: URL, place: Place): Promise<FetchOutcome | URL> => {
  await place.pace(attempt.signal).catch(() => attempt.signal.throwIfAborted());
  const startedMs = performance.now();
  const deadline = AbortSignal.timeout(Math.max(1, attempt.leftMs));
  try {
    attempt.signal.throwIfAborted();
    return await ask(attempt, url, AbortSignal.any([attempt.signal, deadline]));
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (deadline.aborted) return failure("failed", "the document took too long");
    if (error instanceof FetchFault) return error.outcome;
    throw error;
  } finally {
    attempt.leftMs -= Math.ceil(performance.now() - startedMs);
  }
};

const ask = async (attempt: Attempt, url: URL, signal: AbortSignal): Promise<FetchOutcome | URL> => {
  const { scope, settings, validators } = attempt;
  const isGateway = scope !== null && isBelowScope(url, scope);
  const addresses = await resolveChecked(url, isGateway, settings, settings.limits, signal);
  const headers = requestHeaders(validators, settings);
  const response = await sendRequest(url, addresses, headers, settings.limits, signal);
  try {
    return await readReply(attempt, url, response, signal);
  } finally {
    response.destroy();
  }
};

const requestHeaders = (validators: Validators, settings: Settings): Record<string, string> => ({
  accept: "application/json, */*;q=0.1",
  "accept-encoding": acceptedEncodings,
  "user-agent": settings.userAgent,
  ...(validators.etag === null ? {} : { "if-none-match": validators.etag }),
  ...(validators.lastModified === null ? {} : { "if-modified-since": validators.lastModified }),
});

const readReply = async (
  { uri, settings, validators }: Attempt,
  url: URL,
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<FetchOutcome | URL> => {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (redirects.has(status) && location !== undefined) {
    return URL.canParse(location, url.href)
      ? new URL(location, url)
      : failure("failed", "redirected to no URL");
  }
  const isConditional = validators.etag !== null || validators.lastModified !== null;
  if (status === 304 && isConditional) return { kind: "notModified" };
  if (status !== 200) return refusalOf(status, response, settings);
  const media = readMedia(uri, mediaTypeOf(response.headers["content-type"]));
  if (media !== null) return toOutcome(media, {});
  const bytes = await readResponse(response, settings.limits, signal);
  return toOutcome(readJsonBody(bytes, settings.limits), response.headers);
};

/** Failures that a later attempt may not repeat. A cache may answer a first request by a 304. */
const isPassing = (status: number): boolean =>
  status === 304 || status === 408 || status === 425 || status === 429 || status >= 500;

const refusalOf = (status: number, response: IncomingMessage, settings: Settings): FetchOutcome => {
  const retryAfterMs = parseRetryAfter(response.headers["retry-after"], settings.nowMs());
  return failure(isPassing(status) ? "failed" : "gone", `the server answered ${status}`, { retryAfterMs });
};

const toOutcome = (
  reading: ReturnType<typeof readJsonBody>,
  headers: { readonly etag?: string | undefined; readonly "last-modified"?: string | undefined },
): FetchOutcome =>
  reading.kind === "json"
    ? {
        kind: "document",
        json: reading.json,
        sha256: reading.sha256,
        etag: headers.etag ?? null,
        lastModified: headers["last-modified"] ?? null,
        immutable: false,
      }
    : failure("notJson", reading.reason, { json: reading.json });
