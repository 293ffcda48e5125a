export { createDirectoryFetcher, documentFileName } from "./directory-fetcher.ts";
export type { DocumentFetcher } from "./fetch-outcome.ts";
export { createNetworkFetcher, type NetworkFetcherOptions } from "./network-fetcher.ts";
export { OffchainWorker } from "./offchain-worker.ts";
