// Documents of many hosts at once: what one host does delays no other, over a real store and real servers.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { offchainRow, type OffchainRow, type OffchainStore } from "@lamplight/core";
import { createNetworkFetcher, type DocumentFetcher, OffchainWorker } from "@lamplight/offchain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assetData, coreAccount, key } from "../../test/encode-core.ts";
import { openTestStore, type TestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";

let under: TestStore;
let offchain: OffchainStore;
let servers: Server[];
beforeEach(() => {
  under = openTestStore();
  if (under.store.offchain === undefined) throw new Error("the store keeps no off-chain documents");
  offchain = under.store.offchain;
  servers = [];
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await under.close();
});

const listen = async (address: string, listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  return (server.address() as AddressInfo).port;
};

const NOW = 1_700_000_000_000;
const due = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow =>
  offchainRow(uri, { firstSeenMs: NOW, dueMs: NOW, ...more });

const createWorker = (fetcher: DocumentFetcher, requestsAtOnce = 64): OffchainWorker =>
  new OffchainWorker({
    store: offchain,
    index: under.store,
    fetcher,
    requestsAtOnce,
    nowMs: () => NOW,
    random: () => 0.5,
  });

/** The test's own internet: names below slow.test lead to a server that never answers. */
const startInternet = async (answer: RequestListener) => {
  let [open, openMax] = [0, 0];
  const slowPort = await listen("127.0.0.2", (request) => {
    open += 1;
    openMax = Math.max(openMax, open);
    request.socket.once("close", () => (open -= 1));
  });
  const port = await listen("127.0.0.1", answer);
  const fetcher = createNetworkFetcher({
    isPublic: (address) => address.startsWith("127.0.0."),
    ports: [port, slowPort],
    resolve: async (host) => [host.endsWith("slow.test") ? "127.0.0.2" : "127.0.0.1"],
    limits: { requestsPerSecondPerHost: 1000 },
  });
  return { fetcher, port, slowPort, openMax: () => openMax };
};

const flood = (port: number, count: number): OffchainRow[] =>
  Array.from({ length: count }, (_, index) =>
    // Newer than all others, at names that cost their owner nothing.
    due(`http://n${index}.slow.test:${port}/${index}.json`, { firstSeenMs: NOW + 1 + index }),
  );

test("a host that never answers and 10,000 URIs of it delay no other host's documents", async () => {
  const internet = await startInternet((_request, response) => response.end('{"description":"here"}'));
  await offchain.writeRows(flood(internet.slowPort, 10_000));
  const others = Array.from({ length: 90 }, (_, index) =>
    due(`http://docs${index % 30}.test:${internet.port}/${index}.json`),
  );
  await offchain.writeRows(others);
  const controller = new AbortController();
  const fetching = createWorker(internet.fetcher).fetchDue(controller.signal);
  await expect.poll(async () => (await offchain.countByStatus()).ok).toBe(others.length);
  controller.abort();
  await fetching;
  expect(internet.openMax()).toBeGreaterThan(0);
  expect(internet.openMax()).toBeLessThanOrEqual(4);
});

test("assets that change while such a flood waits are noted and show their documents", async () => {
  const internet = await startInternet((_request, response) => response.end('{"description":"here"}'));
  await offchain.writeRows(flood(internet.slowPort, 1000));
  const controller = new AbortController();
  const running = createWorker(internet.fetcher).run(controller.signal);
  await expect.poll(internet.openMax).toBeGreaterThan(0);
  const uri = `http://new.test:${internet.port}/1.json`;
  await createIndexer(under.store).applyAccounts(
    [coreAccount(key(1), assetData(null, [], uri), { slot: 1 })],
    {
      slot: 1,
      blockhash: null,
    },
  );
  await expect.poll(async () => (await offchain.readRows([uri]))[0]?.status).toBe("ok");
  controller.abort();
  await running;
});

type FetchOutcome = Awaited<ReturnType<DocumentFetcher["fetch"]>>;

const outcomeOf = (status: "failed" | "gone" | null): FetchOutcome =>
  status === null
    ? { kind: "notModified" }
    : { kind: "failure", status, reason: "test", retryAfterMs: null, json: null };

/** Attempts end when the test says so. */
class ManualFetcher implements DocumentFetcher {
  readonly started: string[] = [];
  readonly #open = new Map<string, (outcome: FetchOutcome) => void>();

  get open(): readonly string[] {
    return [...this.#open.keys()];
  }

  fetch(uri: string): Promise<FetchOutcome> {
    this.started.push(uri);
    const { promise, resolve } = Promise.withResolvers<FetchOutcome>();
    this.#open.set(uri, resolve);
    return promise;
  }

  end(uri: string, status: "failed" | "gone" | null): void {
    this.#open.get(uri)?.(outcomeOf(status));
    this.#open.delete(uri);
  }
}

const never = new AbortController().signal;
const urisOf = (site: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `http://${site}/${index}`);

test("a site that fails gets one place until an attempt succeeds", async () => {
  const uris = urisOf("bad.test", 12);
  await offchain.writeRows(uris.map((uri) => due(uri)));
  const fetcher = new ManualFetcher();
  const fetching = createWorker(fetcher).fetchDue(never);
  await expect.poll(() => fetcher.open.length).toBe(4);
  for (const uri of fetcher.open) fetcher.end(uri, "failed");
  for (let ended = 4; ended < 7; ended += 1) {
    await expect.poll(() => fetcher.started.length).toBe(ended + 1);
    expect(fetcher.open).toHaveLength(1);
    fetcher.end(fetcher.open[0]!, "failed");
  }
  await expect.poll(() => fetcher.open.length).toBe(1);
  expect(fetcher.started).toHaveLength(8);
  // A server that has nothing works.
  fetcher.end(fetcher.open[0]!, "gone");
  await expect.poll(() => fetcher.open.length).toBe(4);
  for (const uri of fetcher.open) fetcher.end(uri, null);
  expect(await fetching).toMatchObject({ fetched: 12, failed: 8 });
});

test("failing sites take a quarter of all places together, and a site that works its own", async () => {
  const sites = Array.from({ length: 12 }, (_, index) => `bad${index}.test`);
  await offchain.writeRows(sites.flatMap((site) => urisOf(site, 6)).map((uri) => due(uri)));
  const fetcher = new ManualFetcher();
  const controller = new AbortController();
  const worker = createWorker(fetcher, 8);
  const fetching = worker.fetchDue(controller.signal);
  for (let ended = 0; ended < 12 * 4; ended += 1) {
    await expect.poll(() => fetcher.started.length).toBeGreaterThan(ended);
    fetcher.end(fetcher.open[0]!, "failed");
  }
  // All sites have failed four times by now: two of them go on.
  await expect.poll(() => fetcher.open.length).toBe(2);
  await offchain.writeRows(urisOf("good.test", 4).map((uri) => due(uri)));
  fetcher.end(fetcher.open[0]!, "failed");
  await expect.poll(() => fetcher.open.filter((uri) => uri.includes("good")).length).toBe(4);
  expect(fetcher.open.filter((uri) => uri.includes("bad"))).toHaveLength(2);
  controller.abort();
  for (const uri of fetcher.open) fetcher.end(uri, null);
  await fetching;
});

test("queues take turns, for any number of their documents", async () => {
  const uris = ["a.test", "b.test", "c.test"].flatMap((site, index) => urisOf(site, [20, 1, 2][index]!));
  await offchain.writeRows(uris.map((uri) => due(uri)));
  const fetcher = new ManualFetcher();
  const fetching = createWorker(fetcher, 1).fetchDue(never);
  const sites: string[] = [];
  for (let turn = 0; turn < uris.length; turn += 1) {
    await expect.poll(() => fetcher.open.length).toBe(1);
    sites.push(new URL(fetcher.open[0]!).hostname[0]!);
    fetcher.end(fetcher.open[0]!, null);
  }
  await fetching;
  expect(sites.join("")).toBe(`abcac${"a".repeat(18)}`);
});

test("in a queue, a flood of new mints overtakes neither an older mint nor a retry", async () => {
  const flooding = urisOf("a.test", 50).map((uri, index) => due(uri, { firstSeenMs: NOW + index }));
  await offchain.writeRows([
    due("http://a.test/old", { firstSeenMs: NOW - 2 }),
    due("http://a.test/retry", { firstSeenMs: NOW - 1, fetchedMs: NOW - 1, attempts: 1, status: "failed" }),
    ...flooding,
  ]);
  const fetcher = new ManualFetcher();
  const controller = new AbortController();
  const fetching = createWorker(fetcher, 1).fetchDue(controller.signal);
  for (let turn = 0; turn < 3; turn += 1) {
    await expect.poll(() => fetcher.open.length).toBe(1);
    fetcher.end(fetcher.open[0]!, null);
  }
  await expect.poll(() => fetcher.started.length).toBeGreaterThan(3);
  expect(fetcher.started.slice(0, 3)).toEqual([
    "http://a.test/49",
    "http://a.test/old",
    "http://a.test/retry",
  ]);
  controller.abort();
  fetcher.end(fetcher.open[0]!, null);
  await fetching;
});

test("each host has its own limits, and ten hosts end although one of them never answers", async () => {
  const asked = new Map<string, number>();
  const [openOf, mostOf] = [new Map<string, number>(), new Map<string, number>()];
  const answer: RequestListener = (request, response) => {
    const host = request.headers.host!.split(":")[0]!;
    const open = (openOf.get(host) ?? 0) + 1;
    openOf.set(host, open);
    mostOf.set(host, Math.max(mostOf.get(host) ?? 0, open));
    asked.set(host, (asked.get(host) ?? 0) + 1);
    setTimeout(() => {
      openOf.set(host, openOf.get(host)! - 1);
      response.end('{"description":"here"}');
    }, 30);
  };
  const port = await listen("127.0.0.1", answer);
  const slowPort = await listen("127.0.0.2", () => undefined);
  const hosts = Array.from({ length: 9 }, (_, index) => `docs${index}.host${index}.test`);
  const fetcher = createNetworkFetcher({
    isPublic: (address) => address.startsWith("127.0.0."),
    ports: [port, slowPort],
    resolve: async (host) => [host === "slow.test" ? "127.0.0.2" : "127.0.0.1"],
    // Each host has more places than the one before.
    hostLimits: new Map(
      hosts.map((host, index) => [host, { requestsAtOnce: index + 1, requestsPerSecond: 10_000 }]),
    ),
  });
  const eachUris = 60;
  await offchain.writeRows([
    ...flood(slowPort, 500).map((row) => ({ ...row, uri: row.uri.replace(/n\d+\./u, "") })),
    ...hosts.flatMap((host) => urisOf(`${host}:${port}`, eachUris)).map((uri) => due(uri)),
  ]);
  const controller = new AbortController();
  const worker = createWorker(fetcher);
  await worker.countStates();
  const fetching = worker.fetchDue(controller.signal);
  await expect.poll(() => worker.counts.outcomes.document, { timeout: 60_000 }).toBe(hosts.length * eachUris);
  controller.abort();
  await fetching;
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(hosts.map((host) => [host, eachUris])));
  for (const [index, host] of hosts.entries()) expect(mostOf.get(host)).toBeLessThanOrEqual(index + 1);
  // A host beyond the four places of a site used them.
  expect(mostOf.get(hosts[8]!)).toBeGreaterThan(4);
  const { states } = worker.counts;
  expect(states).toEqual(await offchain.countByStatus());
  // Attempts at the slow host may have run into their timeout.
  expect(states!.pending + states!.failed).toBe(500);
});

test("outcomes that a store did not take stay due, and the same worker fetches them again", async () => {
  const uris = urisOf("a.test", 3);
  await offchain.writeRows(uris.map((uri) => due(uri)));
  const gone = new Error("gone");
  let isGone = true;
  const started: string[] = [];
  const worker = new OffchainWorker({
    store: {
      ...offchain,
      writeRows: (rows) => {
        if (isGone) throw gone;
        return offchain.writeRows(rows);
      },
    },
    index: under.store,
    fetcher: {
      fetch: async (uri) => {
        started.push(uri);
        return outcomeOf(null);
      },
    },
    nowMs: () => NOW,
  });
  await expect(worker.fetchDue(never)).rejects.toBe(gone);
  expect(await offchain.countByStatus()).toMatchObject({ pending: 3 });
  isGone = false;
  await worker.countStates();
  await worker.fetchDue(never);
  expect(new Set(started)).toEqual(new Set(uris));
  expect(await offchain.countByStatus()).toMatchObject({ pending: 0, ok: 3 });
  expect(worker.counts.states).toMatchObject({ pending: 0, ok: 3 });
});

test("a store that fails ends the round, after all that is under way", async () => {
  await offchain.writeRows(urisOf("a.test", 3).map((uri) => due(uri)));
  const fetcher = new ManualFetcher();
  const gone = new Error("gone");
  const worker = new OffchainWorker({
    store: {
      ...offchain,
      listDue: (...asked) => {
        if (fetcher.started.length === 2) throw gone;
        return offchain.listDue(...asked);
      },
    },
    index: under.store,
    fetcher,
    nowMs: () => NOW,
  });
  let isOver = false;
  const fetching = worker.fetchDue(never).finally(() => (isOver = true));
  await expect.poll(() => fetcher.open.length).toBe(2);
  expect(isOver).toBe(false);
  for (const uri of fetcher.open) fetcher.end(uri, null);
  await expect(fetching).rejects.toBe(gone);
  expect(await offchain.countByStatus()).toMatchObject({ pending: 1 });
});
