/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Slot, SLOT_MS_FIRST } from "@lamplight/core";
import { ChainFollower, ForkOverlay } from "@lamplight/indexer";
import { startSearchLife } from "@lamplight/search";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { type Bench, type Figure, percentile } from "./bench.ts";
import type { FeedData, FeedOrder, FeedReport } from "./follow/feed-worker.ts";
import type { Sighting } from "./follow/watch-process.ts";
import type { ReadData } from "./follow/read-worker.ts";
import { sampleStore } from "./sample-store.ts";

const ACCOUNTS = 200_000;
/** Updates of the chain in a second. */
const CHAIN_UPDATES_PER_SECOND = 12_000;
const SLOT_MS = SLOT_MS_FIRST;
const UPDATES_PER_SLOT = (CHAIN_UPDATES_PER_SECOND * SLOT_MS) / 1000;
const FLOOD_SLOTS = 60;
const PACED_SLOTS = 40;
const IDLE_READ_MS = 4000;
/** Seed of the sample store's chain: the traffic is over its accounts. */
const SEED = 7;

/** From the socket to committed rows with indexes and assets, next to what the chain does. */
export const followBench: Bench = {
  name: "follow",
  about: `a Yellowstone stream into a store of ${ACCOUNTS} accounts with assets, next to the chain's ${CHAIN_UPDATES_PER_SECOND} updates/s`,
  async run(say): Promise<readonly Figure[]> {
    const sample = await sampleStore("assets", ACCOUNTS, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-follow-"));
    const file = join(folder, "index.db");
    copyFileSync(sample, file);
    try {
      return await measure(file, say);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const measure = async (file: string, say: (line: string) => void): Promise<readonly Figure[]> => {
  const store = openSqliteStore({ file, mode: "write", checkpoints: "thread" });
  const reader = openSqliteReader({ file });
  const committedMs = new Map<Slot, number>();
  const search = await startSearchLife({ viewSource: reader, file: null });
  await search.filled;
  const overlay = await ForkOverlay.open({
    store,
    viewSource: search.viewSource,
    closeFromTransactions: false,
    onCommit: (changes) => {
      committedMs.set(changes.watermark!.slot, nowMs());
      void search.catchUp();
    },
  });
  const states = await store.readAccountPage(null, 5000);
  const feed = await startFeed(overlay.state.finalizedSlot);
  const watcher = startWatcher(file);
  const readers = startReaders({ file, addresses: states.map(({ current }) => current.address) });
  const stopping = new AbortController();
  const source = new YellowstoneSource({
    url: feed.url,
    token: null,
    accounts: { all: {} },
    transactionPrograms: [],
    commitment: "processed",
    resumeFrom: () => overlay.state.finalizedSlot + 1,
    signal: stopping.signal,
  });
  const follower = new ChainFollower({ overlay });
  const visibleMs = new Map<Slot, number>();
  const following = (async () => {
    for await (const event of source.events()) {
      await follower.take(event);
      if (event.kind === "slot" && event.status === "complete") visibleMs.set(event.slot, nowMs());
    }
  })();
  const finalizedAt = async (slot: Slot): Promise<void> => {
    while (overlay.state.finalizedSlot < slot) await sleep(5);
  };
  try {
    while (!source.state.connected && source.state.connections === 0) await sleep(5);
    await sleep(200);
    await feed.prepare(FLOOD_SLOTS);
    say(`${FLOOD_SLOTS} slots as fast as they go`);
    const floodMs = performance.now();
    const floodCpu = process.threadCpuUsage();
    await finalizedAt(await feed.emit(0));
    const floodSeconds = (performance.now() - floodMs) / 1000;
    const { user, system } = process.threadCpuUsage(floodCpu);
    const flooded = overlay.commitStats;
    say("readers without a writer");
    const idle = await readers.during(() => sleep(IDLE_READ_MS));
    say(`${PACED_SLOTS} slots at the chain's pace`);
    const first = overlay.state.finalizedSlot + 1;
    await feed.prepare(PACED_SLOTS);
    const busy = await readers.during(async () => finalizedAt(await feed.emit(SLOT_MS)));
    const sightings = await watcher.stop();
    const waits = [...visibleMs].flatMap(([slot, atMs]) =>
      slot < first ? [] : atMs - (feed.reportedMs.get(slot) ?? Number.NaN),
    );
    const sightMs = [...committedMs].flatMap(([slot, atMs]) =>
      slot < first ? [] : (sightings.find(([seen]) => seen >= slot)?.[1] ?? Number.NaN) - atMs,
    );
    const { commits, totalMs } = overlay.commitStats;
    const rate = (FLOOD_SLOTS * UPDATES_PER_SLOT) / floodSeconds;
    return [
      { name: "sustained, socket to committed rows", value: rate, unit: "updates/s" },
      {
        name: "over the chain's own",
        value: rate / CHAIN_UPDATES_PER_SECOND,
        unit: "×",
        budget: { atLeast: 1 },
      },
      {
        name: "processor time of the following thread, per update",
        value: (user + system) / (FLOOD_SLOTS * UPDATES_PER_SLOT),
        unit: "µs",
      },
      {
        name: "last update of a slot reported to slot visible, p50",
        value: percentile(waits, 0.5),
        unit: "ms",
      },
      {
        name: "last update of a slot reported to slot visible, p99",
        value: percentile(waits, 0.99),
        unit: "ms",
      },
      { name: "root commit, mean", value: totalMs / commits, unit: "ms" },
      { name: "root commit of the flood, mean", value: flooded.totalMs / flooded.commits, unit: "ms" },
      {
        name: "root commit to seen by another process, p99",
        value: percentile(sightMs, 0.99),
        unit: "ms",
        budget: { atMost: 200 },
      },
      { name: "reader without a writer, p99", value: percentile(idle, 0.99), unit: "ms" },
      { name: "reader next to the writer, p99", value: percentile(busy, 0.99), unit: "ms" },
      {
        name: "reader next to the writer / without",
        value: percentile(busy, 0.99) / percentile(idle, 0.99),
        unit: "×",
        budget: { atMost: 3 },
      },
    ];
  } finally {
    stopping.abort();
    await following;
    await readers.stop();
    await watcher.stop();
    await feed.stop();
    await search.close();
    reader.close();
    await store.close();
  }
};

/** The thread that reports, with the time at which each slot was reported. */
const startFeed = async (finalizedSlot: Slot) => {
  const workerData: FeedData = {
    seed: SEED,
    accounts: ACCOUNTS,
    finalizedSlot,
    updatesPerSlot: UPDATES_PER_SLOT,
  };
  const worker = new Worker(new URL("./follow/feed-worker.ts", import.meta.url), { workerData });
  const order = (message: FeedOrder): void => worker.postMessage(message);
  const reportedMs = new Map<Slot, number>();
  const listening = Promise.withResolvers<string>();
  let done = Promise.withResolvers<Slot>();
  let prepared = Promise.withResolvers<void>();
  worker.on("error", (error) => listening.reject(error));
  worker.on("message", (report: FeedReport) => {
    if (report.kind === "listening") listening.resolve(report.url);
    else if (report.kind === "prepared") prepared.resolve();
    else if (report.kind === "reported") reportedMs.set(report.slot, report.atMs);
    else done.resolve(report.lastSlot);
  });
  return {
    url: await listening.promise,
    reportedMs,
    prepare: (slots: number): Promise<void> => {
      prepared = Promise.withResolvers<void>();
      order({ kind: "prepare", slots });
      return prepared.promise;
    },
    /** Shows what was prepared; the last slot. */
    emit: (slotMs: number): Promise<Slot> => {
      done = Promise.withResolvers<Slot>();
      order({ kind: "tell", slotMs });
      return done.promise;
    },
    stop: () => worker.terminate(),
  };
};

/** Another process, which waits for each root. */
const startWatcher = (file: string) => {
  const child = fork(new URL("./follow/watch-process.ts", import.meta.url), [file]);
  let stopped: Promise<readonly Sighting[]> | null = null;
  return {
    stop: (): Promise<readonly Sighting[]> => {
      stopped ??= (async () => {
        const reported = once(child, "message") as Promise<[readonly Sighting[]]>;
        child.send("stop");
        const [seen] = await reported;
        return seen;
      })();
      return stopped;
    },
  };
};

/** Comparable between processes of one machine. */
const nowMs = (): number => performance.timeOrigin + performance.now();

const startReaders = (workerData: ReadData) => {
  const worker = new Worker(new URL("./follow/read-worker.ts", import.meta.url), { workerData });
  return {
    /** Milliseconds of every read while something else goes on. */
    during: async (work: () => Promise<void>): Promise<readonly number[]> => {
      worker.postMessage("start");
      await work();
      const times = new Promise<readonly number[]>((resolve) => {
        worker.once("message", resolve);
      });
      worker.postMessage("stop");
      return times;
    },
    stop: () => worker.terminate(),
  };
};
