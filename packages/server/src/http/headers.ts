import type { IncomingMessage } from "node:http";

/** Headers of every reply, as name and value in turn: the raw form costs Node the least. */
export const replyHeaders: readonly string[] = [
  "Access-Control-Allow-Origin",
  "*",
  "Access-Control-Expose-Headers",
  "X-Slot, X-Updated-Slot, X-Coverage, X-Incomplete-Trees, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Traceparent",
  "X-Content-Type-Options",
  "nosniff",
];

/** Headers of every answer that holds for this moment only. */
export const answerHeaders: readonly string[] = [...replyHeaders, "Cache-Control", "no-store"];

/** The answer to a preflight, which a browser sends before it lets a page call the server. */
const preflightHeaders: readonly string[] = [
  ...replyHeaders,
  "Access-Control-Allow-Methods",
  "POST, GET, HEAD, OPTIONS",
  "Access-Control-Max-Age",
  "86400",
  "Allow",
  "POST, GET, HEAD, OPTIONS",
  // Caches between us and a browser must not answer a private-network preflight with another one's reply.
  "Vary",
  "Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
];

const privateNetworkHeaders: readonly string[] = ["Access-Control-Allow-Private-Network", "true"];

/** Where a preflight names no header, or none that a browser would send. */
const usualHeaders = "Content-Type, Content-Encoding, Accept, Solana-Client";
/** A list of header names, as a browser sends it. */
const headerNames = /^[\w!#$%&'*+.^`|~, -]{1,1024}$/u;

/** A preflight allows the headers that it asks for: no header has a meaning here that a page must not send. */
const allowedHeaders = (asked: string | undefined): readonly string[] => [
  "Access-Control-Allow-Headers",
  asked !== undefined && headerNames.test(asked) ? asked : usualHeaders,
];

/**
 * A page from the internet may call a server on the visitor's own machine (a private-network preflight) only from the
 * listed origins, such as the hosted playground.
 */
export const preflightHeadersFor = (
  { headers }: IncomingMessage,
  privateNetworkOrigins: readonly string[],
): readonly string[] => [
  ...preflightHeaders,
  ...allowedHeaders(headers["access-control-request-headers"]),
  ...(headers["access-control-request-private-network"] === "true" &&
  privateNetworkOrigins.includes(headers.origin ?? "")
    ? privateNetworkHeaders
    : []),
];

export const jsonContentType = "application/json; charset=utf-8";
