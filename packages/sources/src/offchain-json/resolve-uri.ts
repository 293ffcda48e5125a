// From the text on chain to the places a document may be found at.

import { isIP } from "node:net";
import type { OffchainLimits } from "./offchain-limits.ts";

export interface UriPolicy {
  /** Tried in order, each ending where a CID follows: `https://ipfs.io/ipfs/`. */
  readonly ipfsGateways: readonly string[];
  /** Each ending where an id follows: `https://arweave.net/`. */
  readonly arweaveGateways: readonly string[];
  readonly ports: readonly number[];
}

export const defaultUriPolicy: UriPolicy = {
  ipfsGateways: ["https://ipfs.io/ipfs/", "https://dweb.link/ipfs/", "https://nftstorage.link/ipfs/"],
  arweaveGateways: ["https://arweave.net/", "https://ar-io.net/"],
  ports: [80, 443, 8080],
};

export type ResolvedUri =
  /** To be tried in order. `immutable` = content-addressed: what was found once never changes. */
  | { readonly kind: "http"; readonly candidates: readonly URL[]; readonly immutable: boolean }
  | { readonly kind: "data"; readonly uri: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Cut at the first NUL, without control characters and white space around: "" = there is nothing to fetch. */
export const sanitiseUri = (onChain: string): string => {
  const [text = ""] = onChain.split("\0", 1);
  return [...text]
    .filter((character) => character > "\u001f" && !(character >= "\u007f" && character <= "\u009f"))
    .join("")
    .trim();
};

export const resolveUri = (onChain: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  const text = sanitiseUri(onChain);
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

/** Why a URL may not be asked, wherever it came from (the chain or a redirect); null when it may. */
export const findUrlFault = (url: URL, policy: UriPolicy): string | null => {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `scheme ${url.protocol.slice(0, 20)} is not fetched`;
  if (url.username !== "" || url.password !== "") return "credentials in the URL";
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (!policy.ports.includes(port)) return `port ${port} is not allowed`;
  const host = url.hostname.replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return "localhost";
  const isLiteral = isIP(host) !== 0 || host.startsWith("[");
  return isLiteral || host.includes(".") ? null : "host without a domain";
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
  return cid.test(firstSegment(path))
    ? contentAddressed([], policy.ipfsGateways, path, limits)
    : refuse("ipfs URI without a CID");
};

/** `ar://ID/path`. */
const resolveArweave = (text: string, policy: UriPolicy, limits: OffchainLimits): ResolvedUri => {
  const path = text.slice("ar:".length).replace(/^\/+/, "");
  return arweaveId.test(firstSegment(path))
    ? contentAddressed([], policy.arweaveGateways, path, limits)
    : refuse("ar URI without an id");
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
    return contentAddressed([url], policy.ipfsGateways, `${subdomain}/${rest}`, limits);
  }
  if (rest.startsWith("ipfs/") && cid.test(firstSegment(rest.slice("ipfs/".length)))) {
    return contentAddressed([url], policy.ipfsGateways, rest.slice("ipfs/".length), limits);
  }
  const isArweave = /^(?:www\.|[a-z0-9]+\.)?arweave\.net$/.test(url.hostname);
  if (isArweave && arweaveId.test(firstSegment(rest))) {
    return contentAddressed([url], policy.arweaveGateways, rest, limits);
  }
  return { kind: "http", candidates: [url], immutable: false };
};

const firstSegment = (path: string): string => path.split(/[/?#]/, 1)[0] ?? "";

const contentAddressed = (
  first: readonly URL[],
  gateways: readonly string[],
  path: string,
  limits: OffchainLimits,
): ResolvedUri => {
  const candidates = [...first];
  for (const gateway of gateways) {
    const url = URL.canParse(gateway + path) ? new URL(gateway + path) : null;
    if (url !== null && candidates.every(({ href }) => href !== url.href)) candidates.push(url);
  }
  return candidates.length === 0
    ? refuse("no gateway is configured")
    : { kind: "http", candidates: candidates.slice(0, limits.candidatesMax), immutable: true };
};
