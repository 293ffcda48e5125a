import { expect, test } from "vitest";
import { createNetworkFetcher } from "./network-fetcher.ts";

const limitsOf = (requestsAtOnce: number) => ({ requestsAtOnce, requestsPerSecond: 1 });

test("a queue has the places of its configured hosts together, and never less than the default", () => {
  const { placesOf } = createNetworkFetcher({
    ipfsGateways: ["https://gateway.test/ipfs/", "https://second.test/ipfs/"],
    hostLimits: new Map([
      ["a.site.test", limitsOf(20)],
      ["b.site.test", limitsOf(5)],
      ["narrow.test", limitsOf(1)],
      ["gateway.test", limitsOf(30)],
    ]),
  });
  const queues = ["site.test", "narrow.test", "other.test", "ipfs", "gateway.test", "arweave"];
  expect(queues.map((queue) => placesOf?.(queue))).toEqual([25, 4, 4, 30, 30, 16]);
});

test("the default of all hosts is that of their queues", () => {
  const { placesOf } = createNetworkFetcher({ limits: { requestsAtOncePerQueue: 8 } });
  expect(placesOf?.("other.test")).toBe(8);
});
