// The whole way of a document: asset on chain, URI noted, fetched from a server, stored, shown.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createDirectoryFetcher,
  createNetworkFetcher,
  type DocumentFetcher,
  documentFileName,
  OffchainWorker,
} from "@lamplight/offchain";
import { describe, expect, test } from "vitest";
import {
  asked,
  contentOf,
  createWorker,
  DAY,
  host,
  localFetcher,
  MINUTE,
  never,
  offchain,
  put,
  rowOf,
  says,
  sweep,
  testStore,
  uriOf,
  useDocuments,
} from "../../test/document-host.ts";

useDocuments();

describe("OffchainWorker", () => {
  test("a fetched document is shown in content; the chain's name stays, and no asset changes", async () => {
    host.answer = says("first");
    await put(1, uriOf("/1.json"));
    expect(await contentOf(1)).toMatchObject({ files: [], metadata: { name: "Name" } });
    await sweep(createWorker());
    expect(await contentOf(1)).toMatchObject({
      json_uri: uriOf("/1.json"),
      files: [{ uri: "https://a/1.png", mime: "image/png" }],
      metadata: { name: "Name", description: "first" },
    });
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({
      status: "ok",
      attempts: 0,
      dueMs: null,
    });
    // A document is one row: the assets that name it are neither derived nor written again.
    expect(await testStore.store.readAssetsChangedSince(1, 10)).toEqual([]);
  });

  test("a URI that many assets share is fetched once, and a later asset shows it at once", async () => {
    host.answer = says("shared");
    for (let byte = 1; byte <= 20; byte += 1) await put(byte, uriOf("/shared.json"));
    const worker = createWorker();
    await sweep(worker);
    expect(asked).toEqual(["/shared.json"]);
    expect(await contentOf(20)).toMatchObject({ metadata: { description: "shared" } });
    await put(21, uriOf("/shared.json"));
    expect(await contentOf(21)).toMatchObject({ metadata: { description: "shared" } });
    await sweep(worker);
    expect(asked).toEqual(["/shared.json"]);
  });

  test("another URI on chain is fetched; until it is there nothing of the old one is shown", async () => {
    host.answer = (request, response) => says(request.url ?? "")(request, response);
    await put(1, uriOf("/old.json"), 1);
    const worker = createWorker();
    await sweep(worker);
    await put(1, uriOf("/new.json"), 2);
    expect((await contentOf(1)).metadata.description).toBeUndefined();
    await sweep(worker);
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "/new.json" } });
  });

  test("a dead link is tried again when its time comes, and shown when it lives", async () => {
    host.answer = (_request, response) => response.writeHead(404).end();
    await put(1, uriOf("/later.json"));
    const worker = createWorker();
    await sweep(worker);
    await sweep(worker);
    expect(asked).toHaveLength(1);
    expect(await rowOf(uriOf("/later.json"))).toMatchObject({
      status: "gone",
      attempts: 1,
      dueMs: host.nowMs + DAY,
      lastError: "the server answered 404",
    });
    host.nowMs += DAY;
    host.answer = says("alive");
    await sweep(worker);
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "alive" } });
  });

  test("attempts end: what fails for good is left alone until someone asks", async () => {
    host.answer = (_request, response) => response.end("<html>");
    await put(1, uriOf("/html.json"));
    const worker = createWorker();
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      await sweep(worker);
      host.nowMs += 30 * DAY;
    }
    expect(asked).toHaveLength(2);
    expect(await rowOf(uriOf("/html.json"))).toMatchObject({ status: "notJson", dueMs: null });
    host.answer = says("asked for");
    await worker.request([uriOf("/html.json"), uriOf("/html.json")]);
    await worker.fetchDue(never);
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "asked for" } });
  });

  test("a failed refetch never takes a good document away", async () => {
    host.answer = says("good");
    await put(1, uriOf("/1.json"));
    const worker = createWorker();
    await sweep(worker);
    host.answer = (_request, response) => response.writeHead(500).end();
    await worker.request([uriOf("/1.json")]);
    await worker.fetchDue(never);
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "failed", dueMs: host.nowMs + MINUTE });
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "good" } });
  });

  test("URIs against the rules and empty ones cost no request", async () => {
    await put(1, "http://10.0.0.1/secret");
    await put(2, "");
    await put(3, "just text");
    await sweep(createWorker(createNetworkFetcher({ resolve: async () => [] })));
    expect(asked).toEqual([]);
    expect(await offchain.countByStatus()).toMatchObject({ refused: 2, pending: 0 });
    expect(await offchain.findNextDue()).toBeNull();
  });

  test("an attempt given up stays due", async () => {
    const controller = new AbortController();
    host.answer = () => controller.abort(new Error("stop"));
    await put(1, uriOf("/1.json"));
    const worker = createWorker();
    await worker.noteChangedAssets();
    expect(await worker.fetchDue(controller.signal)).toEqual({ fetched: 0, changed: 0, failed: 0 });
    expect(await rowOf(uriOf("/1.json"))).toMatchObject({ status: "pending", dueMs: host.nowMs });
  });

  test("who is slow holds one place, and no one else up", async () => {
    for (const byte of [1, 2, 3, 4, 5]) await put(byte, uriOf(`/${byte}.json`));
    const { promise, resolve } = Promise.withResolvers<void>();
    const quick = createDirectoryFetcher("/nowhere");
    let [atOnce, atOnceMax, ended] = [0, 0, 0];
    const worker = new OffchainWorker({
      store: offchain,
      index: testStore.store,
      requestsAtOnce: 2,
      nowMs: () => host.nowMs,
      fetcher: {
        fetch: async (uri, ...rest) => {
          atOnce += 1;
          atOnceMax = Math.max(atOnceMax, atOnce);
          // The slow one ends when all others have.
          if (uri.endsWith("/1.json")) await promise;
          const outcome = await quick.fetch(uri, ...rest);
          atOnce -= 1;
          ended += 1;
          if (ended === 4) resolve();
          return outcome;
        },
      },
    });
    await worker.noteChangedAssets();
    expect(await worker.fetchDue(never)).toMatchObject({ fetched: 5 });
    expect(atOnceMax).toBe(2);
  });

  test("what cannot be stored ends the round, after all that is under way", async () => {
    for (const byte of [1, 2, 3]) await put(byte, uriOf(`/${byte}.json`));
    let ended = 0;
    const quick = createDirectoryFetcher("/nowhere");
    const full = new Error("full");
    const worker = new OffchainWorker({
      store: {
        ...offchain,
        writeRows: async (rows) => {
          if (rows.some(({ status }) => status !== "pending")) throw full;
          await offchain.writeRows(rows);
        },
      },
      index: testStore.store,
      nowMs: () => host.nowMs,
      fetcher: {
        fetch: async (...call) => {
          const outcome = await quick.fetch(...call);
          ended += 1;
          return outcome;
        },
      },
    });
    await worker.noteChangedAssets();
    await expect(worker.fetchDue(never)).rejects.toBe(full);
    expect(ended).toBe(3);
  });

  test("an error that no one foresaw costs one URI its turn, and no other", async () => {
    host.answer = says("fine");
    await put(1, uriOf("/1.json"));
    await put(2, "https://odd/");
    const local = localFetcher();
    const fetcher: DocumentFetcher = {
      fetch: (uri, ...rest) =>
        uri === "https://odd/" ? Promise.reject(new Error("odd")) : local.fetch(uri, ...rest),
    };
    await sweep(createWorker(fetcher));
    expect(await contentOf(1)).toMatchObject({ metadata: { description: "fine" } });
    expect(await rowOf("https://odd/")).toMatchObject({
      status: "failed",
      lastError: "unexpected: Error: odd",
    });
  });

  test("run notes, fetches and publishes until it is stopped", async () => {
    const controller = new AbortController();
    host.answer = says("running");
    await put(1, uriOf("/1.json"));
    const running = createWorker().run(controller.signal);
    await expect.poll(async () => (await contentOf(1)).metadata.description).toBe("running");
    controller.abort();
    await running;
  });

  test("a sweep for orphans that fails ends run, and is due again at once", async () => {
    host.answer = says("left");
    await put(1, uriOf("/left.json"));
    await sweep(createWorker());
    await put(1, uriOf("/kept.json"), 2);
    host.nowMs += 2 * DAY;
    let sweeps = 0;
    const failed = new Error("the sweep failed");
    const worker = new OffchainWorker({
      store: {
        ...offchain,
        removeOrphans: async (...call) => {
          sweeps += 1;
          if (sweeps === 1) throw failed;
          return offchain.removeOrphans!(...call);
        },
      },
      index: testStore.store,
      fetcher: localFetcher(),
      orphansMs: DAY,
      nowMs: () => host.nowMs,
    });
    await expect(worker.run(never)).rejects.toBe(failed);
    const controller = new AbortController();
    const running = worker.run(controller.signal);
    await expect.poll(() => rowOf(uriOf("/left.json")), { timeout: 60_000 }).toBeNull();
    controller.abort();
    await running;
    expect(await rowOf(uriOf("/kept.json"))).not.toBeNull();
    expect(sweeps).toBe(2);
  });

  test("documents may come from a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-documents-"));
    try {
      writeFileSync(join(folder, documentFileName("https://far/1.json")), '{"description":"at hand"}');
      await put(1, "https://far/1.json");
      await put(2, "https://far/2.json");
      await sweep(createWorker(createDirectoryFetcher(folder)));
      expect(await contentOf(1)).toMatchObject({ metadata: { description: "at hand" } });
      expect(await rowOf("https://far/2.json")).toMatchObject({ status: "gone" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
