export { createDirectoryFetcher, documentFileName } from "./directory-fetcher.ts";
export type { DocumentFetcher } from "./fetch-outcome.ts";
export type { HostLimits } from "./host-limiter.ts";
export { createLoopbackFetcher, isLoopbackOrigin } from "./loopback-fetcher.ts";
export { createNetworkFetcher, type NetworkFetcherOptions } from "./network-fetcher.ts";
export type { FetchCounts } from "./fetch-counts.ts";
export { OffchainWorker } from "./offchain-worker.ts";
