// Every bound of the off-chain fetcher, in one place.

import { foreignJsonBounds, type JsonBounds } from "@lamplight/core";

export interface OffchainLimits {
  /** Bytes of a body, both as sent and as decoded. */
  readonly bodyBytesMax: number;
  readonly dataUriCharsMax: number;
  readonly uriCharsMax: number;
  readonly json: JsonBounds;
  readonly redirectsMax: number;
  readonly connectTimeoutMs: number;
  /** Until the response head arrives, connecting included. */
  readonly headTimeoutMs: number;
  /** Whole attempt, redirects and body included. */
  readonly totalTimeoutMs: number;
  readonly headerBytesMax: number;
  /** Candidates of one URI, itself included. */
  readonly candidatesMax: number;
  /** Addresses of one name. */
  readonly addressesMax: number;
  /** Concurrent requests of all queues. */
  readonly requestsAtOnce: number;
  /** Concurrent requests of one site, or of URIs that need no network. */
  readonly requestsAtOncePerQueue: number;
  /** Concurrent requests of one kind of gateway; its hosts have their own bounds. */
  readonly requestsAtOncePerGatewayQueue: number;
  /** Failed attempts in a row after which a site gets one request at a time, until one succeeds. */
  readonly failuresInRowMax: number;
  readonly requestsAtOncePerHost: number;
  readonly requestsPerSecondPerHost: number;
}

export const offchainLimits: OffchainLimits = {
  bodyBytesMax: 2 * 1024 * 1024,
  dataUriCharsMax: 256 * 1024,
  uriCharsMax: 2048,
  json: foreignJsonBounds,
  redirectsMax: 5,
  connectTimeoutMs: 5_000,
  headTimeoutMs: 10_000,
  totalTimeoutMs: 20_000,
  headerBytesMax: 16 * 1024,
  candidatesMax: 4,
  addressesMax: 16,
  requestsAtOnce: 64,
  requestsAtOncePerQueue: 4,
  requestsAtOncePerGatewayQueue: 16,
  failuresInRowMax: 4,
  requestsAtOncePerHost: 4,
  requestsPerSecondPerHost: 10,
};
