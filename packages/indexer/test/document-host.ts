// The internet of tests of documents: one server on loopback, an empty store, and a clock.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeAddress } from "@lamplight/codecs";
import type { OffchainRow, OffchainStore } from "@lamplight/core";
import { createNetworkFetcher, type DocumentFetcher, OffchainWorker } from "@lamplight/offchain";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createIndexer, type Indexer } from "../src/indexer.ts";
import { assetData, coreAccount, key } from "./encode-core.ts";
import { openTestStore, type TestStore } from "./open-test-store.ts";

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

let server: Server;
let port: number;
export let asked: string[];

export let testStore: TestStore;
let indexer: Indexer;
export let offchain: OffchainStore;

/** A test sets these. */
export const host: { answer: RequestListener; nowMs: number } = {
  answer: (_request, response) => response.end(),
  nowMs: 0,
};

/** Each test has a new store. All tests of a file have one server. */
export const useDocuments = (): void => {
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      host.answer(request, response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    testStore = openTestStore();
    indexer = createIndexer(testStore.store);
    if (testStore.store.offchain === undefined) throw new Error("the store keeps no off-chain documents");
    offchain = testStore.store.offchain;
    host.nowMs = 1_700_000_000_000;
    asked = [];
  });
  afterEach(() => testStore.close());
};

export const never = new AbortController().signal;

export const localFetcher = (): DocumentFetcher =>
  createNetworkFetcher({
    // The test's own internet.
    isPublic: (address) => address === "127.0.0.1",
    ports: [port],
    resolve: async () => ["127.0.0.1"],
    limits: { requestsPerSecondPerHost: 1000 },
  });

export const createWorker = (fetcher = localFetcher(), refreshMs: number | null = null): OffchainWorker =>
  new OffchainWorker({
    store: offchain,
    index: testStore.store,
    fetcher,
    refreshMs,
    nowMs: () => host.nowMs,
    random: () => 0.5,
  });

export const sweep = async (worker: OffchainWorker): Promise<void> => {
  await worker.noteChangedAssets();
  await worker.fetchDue(never);
};

export const uriOf = (path: string): string => `http://docs.test:${port}${path}`;

export const put = async (byte: number, uri: string, slot = 1): Promise<void> => {
  await indexer.applyAccounts([coreAccount(key(byte), assetData(null, [], uri), { slot })], {
    slot,
    blockhash: null,
  });
};

interface Content {
  readonly json_uri: string;
  readonly files: readonly { readonly uri: string }[];
  readonly metadata: { readonly name: string; readonly description?: string };
}

export const contentOf = async (byte: number): Promise<Content> => {
  const asset = await testStore.findAsset(encodeAddress(key(byte)));
  return (JSON.parse(asset?.document ?? "{}") as { content: Content }).content;
};

export const rowOf = async (uri: string): Promise<OffchainRow | null> =>
  (await offchain.readRows([uri]))[0] ?? null;

export const says =
  (description: string): RequestListener =>
  (_request, response) => {
    response.end(JSON.stringify({ description, image: "https://a/1.png" }));
  };
