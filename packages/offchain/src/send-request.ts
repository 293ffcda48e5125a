// One GET to checked addresses, with a deadline for the connection and one for the response head.

import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, isIPv6, type LookupFunction } from "node:net";
import { FetchFault } from "./fetch-outcome.ts";
import type { OffchainLimits } from "./offchain-limits.ts";

/**
 * Resolves with the response, before its body is read.
 *
 * @throws FetchFault `failed`
 * @throws the signal's reason when it aborts
 */
export const sendRequest = (
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  limits: OffchainLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const isTls = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options: RequestOptions = {
    headers: { ...headers },
    lookup: pinnedLookup(addresses),
    // No connection is reused, because a pool would use the socket of a checked name for an unchecked one.
    agent: false,
    maxHeaderSize: limits.headerBytesMax,
    signal,
  };
  const request = (isTls ? httpsRequest : httpRequest)(url, options);
  const give = (reason: string) => (): void => {
    request.destroy(new FetchFault("failed", reason));
  };
  const connecting = setTimeout(give("connecting took too long"), limits.connectTimeoutMs);
  const answering = setTimeout(give("the response took too long to begin"), limits.headTimeoutMs);
  const stopTimers = (): void => {
    clearTimeout(connecting);
    clearTimeout(answering);
  };
  request.on("socket", (socket) => {
    socket.once(isTls ? "secureConnect" : "connect", () => clearTimeout(connecting));
  });
  request.on("response", (response) => {
    stopTimers();
    resolve(response);
  });
  request.on("error", (error: NodeJS.ErrnoException) => {
    stopTimers();
    if (signal.aborted || error instanceof FetchFault) reject(signal.aborted ? signal.reason : error);
    else reject(new FetchFault("failed", `the request failed: ${error.code ?? error.message}`.slice(0, 120)));
  });
  // After a 101, Node closes the connection without an error or a response.
  request.on("close", () => {
    stopTimers();
    reject(new FetchFault("failed", "the connection closed without a response"));
  });
  request.end();
  return promise;
};

/** A resolver that always returns the addresses that were checked. */
const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const wanted = options.family === 4 || options.family === 6 ? options.family : 0;
    const found = addresses
      .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      .filter(({ family }) => wanted === 0 || family === wanted);
    const first = found[0];
    if (first === undefined || isIP(first.address) === 0) {
      callback(Object.assign(new Error("no checked address"), { code: "ENOTFOUND" }), "", 0);
    } else if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
