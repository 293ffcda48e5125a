import { expect } from "vitest";
import type { FetchOutcome } from "../src/fetch-outcome.ts";
import { createNetworkFetcher, type NetworkFetcherOptions } from "../src/network-fetcher.ts";
import { type HostileServer, startHostileServer } from "./hostile-server.ts";

/** Names of the test's own internet. Two are evil: one is private, one private in part. */
const names: Readonly<Record<string, readonly string[]>> = {
  "docs.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "private.test": ["10.0.0.1"],
  "half.test": ["127.0.0.1", "192.168.0.1"],
  "inside.test": ["127.0.0.2"],
  "nowhere.test": [],
};

export const noValidators = { etag: null, lastModified: null };
export const never = new AbortController().signal;

/** Two servers under some names, one of them in the host's own network, and a fetcher's options to reach them. */
export interface SmallInternet {
  readonly server: HostileServer;
  readonly inside: HostileServer;
  readonly options: (more?: NetworkFetcherOptions) => NetworkFetcherOptions;
  readonly fetchUri: (uri: string, more?: NetworkFetcherOptions) => Promise<FetchOutcome>;
  /** The URL of a path at the first server. Default host `docs.test`. */
  readonly at: (path: string, host?: string) => string;
  readonly close: () => Promise<void>;
}

export const startSmallInternet = async (): Promise<SmallInternet> => {
  const server = await startHostileServer();
  const inside = await startHostileServer("127.0.0.2");
  inside.on("/secret", (_request, response) => response.end('{"secret":true}'));
  const options = (more: NetworkFetcherOptions = {}): NetworkFetcherOptions => ({
    isPublic: (address) => address === "127.0.0.1",
    ports: [server.port, inside.port],
    resolve: async (host) => {
      const addresses = names[host];
      if (addresses === undefined) throw new Error("no such name");
      return addresses;
    },
    ipfsGateways: [`http://docs.test:${server.port}/ipfs/`, `http://other.test:${server.port}/ipfs2/`],
    arweaveGateways: [`http://docs.test:${server.port}/ar/`],
    ...more,
    limits: { requestsPerSecondPerHost: 1000, ...more.limits },
  });
  return {
    server,
    inside,
    options,
    fetchUri: (uri, more) => createNetworkFetcher(options(more)).fetch(uri, noValidators, never),
    at: (path, host = "docs.test") => `http://${host}:${server.port}${path}`,
    close: async () => {
      await server.close();
      await inside.close();
    },
  };
};

export const failed = (status: string, reason: RegExp): object => ({
  kind: "failure",
  status,
  reason: expect.stringMatching(reason) as unknown,
});
