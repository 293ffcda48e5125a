// Resolves the text on chain to the places where a document may be found.

import { HOST_NAME_CHARS_MAX, sanitizeUri } from "@lamplight/core";
import { isIP } from "node:net";
import type { OffchainLimits } from "./offchain-limits.ts";

export interface UriPolicy {
  /** URL prefixes, tried in order; the CID follows: `https://ipfs.io/ipfs/`. */
  readonly ipfsGateways: readonly string[];
  /** URL prefixes; the id follows: `https://arweave.net/`. */
  readonly arweaveGateways: readonly string[];
  readonly ports: readonly number[];
  /** Only these origins are requested, at any port and by any host name; null = all. */
  readonly origins: ReadonlySet<string> | null;
}

export const defaultUriPolicy: UriPolicy = {
  ipfsGateways: ["https://ipfs.io/ipfs/", "https://dweb.link/ipfs/", "https://nftstorage.link/ipfs/"],
  arweaveGateways: ["https://arweave.net/", "https://ar-io.net/"],
  ports: [80, 443, 8080],
  origins: null,
};

/** One place where a document may be. */
export interface Candidate {
  readonly href: string;
  /** The path of a configured gateway with the CID or id. Private addresses may only be requested below it. */
  readonly scope: string | null;
}

export type ResolvedUri =
  /** Tried in order. `immutable` = content-addressed, so its document never changes. */
  | { readonly kind: "http"; readonly candidates: readonly Candidate[]; readonly immutable: boolean }
  | { readonly kind: "data"; readonly uri: string }
  | { readonly kind: "refused"; readonly reason: string };

export const resolveUri = (onChain: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  const text = sanitizeUri(onChain);
  if (/^data:/i.test(text)) {
    return text.length > limits.dataUriCharsMax ? refuse("data URI too long") : { kind: "data", uri: text };
  }
  if (text.length > limits.uriCharsMax) return refuse("URI too long");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case "ipfs":
      return resolveIpfs(text, policy, limits);
    case "ar":
      return resolveArweave(text, policy, limits);
    case "http":
    case "https":
      return resolveHttp(text, policy, limits);
    case undefined:
      return refuse("no scheme");
    default:
      return refuse(`scheme ${scheme.slice(0, 20)} is not fetched`);
  }
};

/** The reason why a URL must not be requested, from the chain or a redirect; null when it may. */
export const findUrlFault = (url: URL, policy: UriPolicy): string | null => {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `scheme ${url.protocol.slice(0, 20)} is not fetched`;
  if (url.username !== "" || url.password !== "") return "credentials in the URL";
  if (policy.origins !== null)
    return policy.origins.has(url.origin) ? null : "not one of the allowed origins";
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (!policy.ports.includes(port)) return `port ${port} is not allowed`;
  const host = url.hostname.replace(/\.$/, "");
  if (host.length > HOST_NAME_CHARS_MAX) return "host name too long";
  if (host === "localhost" || host.endsWith(".localhost")) return "localhost";
  const isLiteral = isIP(host) !== 0 || host.startsWith("[");
  return isLiteral || host.includes(".") ? null : "host without a domain";
};

/**
 * Whether a URL is the scope of a gateway candidate or below it. Servers decode and join paths in their own ways, so a
 * dot segment counts in every spelling, encoded any number of times.
 */
export const isBelowScope = (url: URL, scope: string): boolean => {
  const place = url.origin + url.pathname;
  if (place !== scope && !place.startsWith(`${scope}/`)) return false;
  const rest = decodeFully(place.slice(scope.length));
  return rest !== null && rest.split(/[/\\]/).every((segment) => !dotSegment.test(segment));
};

/** `..`, followed by what some servers remove: path parameters, a NUL, white space. */
const dotSegment = /^\s*\.\.\s*(?:[;\0].*)?$/s;
/** No legitimate path is encoded this often. */
const DECODINGS_MAX = 4;

/** Null where it is still encoded after the last decoding. */
const decodeFully = (text: string): string | null => {
  let decoded = text;
  for (let round = 0; round < DECODINGS_MAX; round += 1) {
    const next = decoded.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (next === decoded) return decoded;
    decoded = next;
  }
  return null;
};

const refuse = (reason: string): ResolvedUri => ({ kind: "refused", reason });

const cid =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{40,120}|z[1-9A-HJ-NP-Za-km-z]{40,120}|k[0-9a-z]{40,120})$/;
const arweaveId = /^[A-Za-z0-9_-]{43}$/;

/** `ipfs://CID/path`, `ipfs://ipfs/CID/path`. */
const resolveIpfs = (text: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  const path = text
    .slice("ipfs:".length)
    .replace(/^\/+/, "")
    .replace(/^ipfs\/+/i, "");
  if (!cid.test(firstSegment(path))) return refuse("ipfs URI without a CID");
  return contentAddressed(null, policy.ipfsGateways, path, limits);
};

/** `ar://ID/path`. */
const resolveArweave = (text: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  const path = text.slice("ar:".length).replace(/^\/+/, "");
  if (!arweaveId.test(firstSegment(path))) return refuse("ar URI without an id");
  return contentAddressed(null, policy.arweaveGateways, path, limits);
};

const resolveHttp = (text: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  if (!URL.canParse(text)) return refuse("not a URL");
  const url = new URL(text);
  url.hash = "";
  const fault = findUrlFault(url, policy);
  if (fault !== null) return refuse(fault);
  const rest = url.pathname.slice(1) + url.search;
  const subdomain = /^([^.]+)\.ipfs\.[^.]+\.[^.]+/.exec(url.hostname)?.[1];
  // Host names are lower case, so only CIDs in base 32 occur there.
  if (subdomain !== undefined && cid.test(subdomain)) {
    return contentAddressed(url, policy.ipfsGateways, `${subdomain}/${rest}`, limits);
  }
  if (rest.startsWith("ipfs/") && cid.test(firstSegment(rest.slice("ipfs/".length)))) {
    return contentAddressed(url, policy.ipfsGateways, rest.slice("ipfs/".length), limits);
  }
  const isArweave = /^(?:www\.|[a-z0-9]+\.)?arweave\.net$/.test(url.hostname);
  if (isArweave && arweaveId.test(firstSegment(rest))) {
    return contentAddressed(url, policy.arweaveGateways, rest, limits);
  }
  return { kind: "http", candidates: [{ href: url.href, scope: null }], immutable: false };
};

const firstSegment = (path: string): string => path.split(/[/?#\\]/, 1)[0] ?? "";

/**
 * @param own - the URL on chain, where there is one: tried first
 * @param path - begins with the CID or id, which is checked
 */
const contentAddressed = (
  own: URL | null,
  gateways: readonly string[],
  path: string,
  limits: OffchainLimits,
): ResolvedUri => {
  const copies: Candidate[] = [];
  for (const gateway of gateways) {
    if (!URL.canParse(gateway + path)) continue;
    const [url, { origin, pathname }] = [new URL(gateway + path), new URL(gateway + firstSegment(path))];
    const scope = origin + pathname;
    // The path leaves the CID or id, so it is not content-addressed.
    if (!isBelowScope(url, scope)) {
      return own === null
        ? refuse("the path leaves its CID or id")
        : { kind: "http", candidates: [{ href: own.href, scope: null }], immutable: false };
    }
    url.hash = "";
    if (copies.every(({ href }) => href !== url.href)) copies.push({ href: url.href, scope });
  }
  const first = own === null || copies.some(({ href }) => href === own.href) ? [] : [own.href];
  const candidates = [...first.map((href) => ({ href, scope: null })), ...copies];
  return candidates.length === 0
    ? refuse("no gateway is configured")
    : { kind: "http", candidates: candidates.slice(0, limits.candidatesMax), immutable: true };
};
