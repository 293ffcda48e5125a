import { lookup } from "node:dns/promises";
import { BlockList } from "node:net";
import type { DocumentFetcher } from "./fetch-outcome.ts";
import { createNetworkFetcher, type NetworkFetcherOptions } from "./network-fetcher.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address is this machine. */
const isLoopbackAddress = (address: string): boolean =>
  loopback.check(address, address.includes(":") ? "ipv6" : "ipv4");

/** Whether a page of that origin must be on this machine. */
export const isLoopbackOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  const host = hostname.replaceAll(/^\[|\]$/gu, "");
  const isHere = host === "localhost" || host.endsWith(".localhost") || isLoopbackAddress(host);
  return (protocol === "http:" || protocol === "https:") && isHere && text.replace(/\/$/u, "") === origin;
};

/**
 * Fetches documents of a developer's own server. Each hop must be of these origins and lead to this machine.
 *
 * @param origins - such as `http://127.0.0.1:3000`
 */
export const createLoopbackFetcher = (
  origins: readonly string[],
  options: Pick<NetworkFetcherOptions, "userAgent" | "limits"> = {},
): DocumentFetcher =>
  createNetworkFetcher({
    ...options,
    origins: new Set(origins.map((origin) => new URL(origin).origin)),
    ipfsGateways: [],
    arweaveGateways: [],
    isPublic: isLoopbackAddress,
    resolve: async (host) => {
      const found = await lookup(host, { all: true, verbatim: true });
      return found.map(({ address }) => address);
    },
  });
