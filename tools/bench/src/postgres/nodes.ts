import type { Slot } from "@lamplight/core";
import { countsForAccounts, generateChain, Random } from "@lamplight/devchain";
import { createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore, type PostgresIndexStore } from "@lamplight/store-postgres";
import { type Bench, type Figure, median, percentile } from "../bench.ts";
import { Traffic } from "../follow/traffic.ts";

const SEED = 7;
const ACCOUNTS = 50_000;
const UPDATES_PER_SLOT = 4800;
const SLOTS = 40;
/** Slots above the finalized one, as on the chain. */
const FINALIZED_BEHIND = 31;

/** Measures what it costs a writer to publish its unfinalized slots, and how soon other processes read them. */
export const nodesBench: Bench = {
  name: "nodes",
  about: `slots of ${UPDATES_PER_SLOT} updates published through PostgreSQL (no fsync) to a process that serves next to the writer`,
  run: async (say) => {
    const server = await startPostgres();
    try {
      const sizes = await fill(server, say);
      say(`${SLOTS} slots that are not published`);
      const alone = await follow(server, false);
      say(`${SLOTS} slots that are published`);
      const published = await follow(server, true);
      return [
        ...sizes,
        { name: "slot derived", value: median(alone.addMs), unit: "ms, median" },
        { name: "slot derived and published", value: median(published.addMs), unit: "ms, median" },
        {
          name: "processor time of a slot derived and published, to derived alone",
          value: median(published.addCpuMs) / median(alone.addCpuMs),
          unit: "×",
          budget: { atMost: 1.5 },
        },
        { name: "published to read by a node, p50", value: percentile(published.readMs, 0.5), unit: "ms" },
        { name: "published to read by a node, p99", value: percentile(published.readMs, 0.99), unit: "ms" },
        {
          name: "bytes published per update",
          value: published.bytes / (SLOTS * UPDATES_PER_SLOT),
          unit: "bytes",
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

const fill = async (server: TestPostgres, say: (line: string) => void): Promise<readonly Figure[]> => {
  say(`filling ${ACCOUNTS} accounts with assets`);
  const store = await openPostgresStore({ url: server.url, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  const options = { seed: SEED, counts: countsForAccounts(ACCOUNTS), derivedAddresses: "hash-once" } as const;
  for (const { slot, blockhash, accounts } of generateChain(options)) {
    await indexer.applyAccounts(accounts, { slot, blockhash });
  }
  await store.close();
  return readSizes(server);
};

/** Bytes on disk, indexes included, after a vacuum that leaves no dead rows. */
const readSizes = async (server: TestPostgres): Promise<readonly Figure[]> => {
  const client = await server.connect();
  try {
    await client.query("VACUUM (FULL)");
    const { rows } = await client.query<{ name: string; bytes: string; rows: string }>(
      `SELECT relname AS name, pg_total_relation_size(oid) AS bytes, reltuples::bigint AS rows
FROM pg_class WHERE relkind = 'r' AND relnamespace = 'lamplight'::regnamespace`,
    );
    const of = (...names: readonly string[]): number =>
      rows.filter(({ name }) => names.includes(name)).reduce((sum, { bytes }) => sum + Number(bytes), 0);
    const count = (name: string): number => Number(rows.find((row) => row.name === name)?.rows);
    const assetTables = [
      "asset",
      "asset_document",
      "asset_creator",
      "asset_group",
      "asset_seen",
      "link",
      "edition",
    ];
    return [
      {
        name: "disk per account",
        value: of("account", "tombstone", "last_life") / count("account"),
        unit: "bytes",
      },
      { name: "disk per asset", value: of(...assetTables) / count("asset"), unit: "bytes" },
      { name: "disk per holding", value: of("holding") / count("holding"), unit: "bytes" },
    ];
  } finally {
    await client.end();
  }
};

interface Followed {
  readonly addMs: readonly number[];
  /** Processor time of the thread that derives, in milliseconds. */
  readonly addCpuMs: readonly number[];
  readonly readMs: readonly number[];
  readonly bytes: number;
}

const follow = async (server: TestPostgres, isPublished: boolean): Promise<Followed> => {
  const store = await openPostgresStore({ url: server.url, mode: "write" });
  const reader = await openPostgresReader({ url: server.url });
  let bytes = 0;
  const shared = countBytes(store, (more) => (bytes += more));
  const overlay = await ForkOverlay.open({
    store,
    viewSource: reader,
    closeFromTransactions: false,
    ...(isPublished ? { shared } : {}),
  });
  const node = new SharedOverlay({ viewSource: reader, unfinalized: reader });
  if (isPublished) node.start();
  const traffic = new Traffic(SEED, ACCOUNTS, new Random(SEED, 502, isPublished ? 1 : 0));
  const addMs: number[] = [];
  const addCpuMs: number[] = [];
  const readMs: number[] = [];
  try {
    let parent = overlay.state.finalizedSlot;
    const first = parent + 1;
    for (let slot = first; slot < first + SLOTS; slot += 1) {
      const accounts = traffic.next(slot, UPDATES_PER_SLOT);
      const startMs = performance.now();
      const startCpu = process.threadCpuUsage();
      await overlay.add({
        slot,
        parent,
        blockhash: `bench ${isPublished} ${slot}`,
        accounts,
        transactions: [],
      });
      addMs.push(performance.now() - startMs);
      const { user, system } = process.threadCpuUsage(startCpu);
      addCpuMs.push((user + system) / 1000);
      if (isPublished) readMs.push(await readAfter(node, slot));
      if (slot - FINALIZED_BEHIND >= first) await overlay.finalize(slot - FINALIZED_BEHIND);
      parent = slot;
    }
    await overlay.finalize(parent);
    return { addMs, addCpuMs, readMs, bytes };
  } finally {
    await node.stop();
    reader.close();
    await store.close();
  }
};

const countBytes = (store: PostgresIndexStore, onBytes: (bytes: number) => void) => ({
  takeOverUnfinalized: () => store.takeOverUnfinalized(),
  publishUnfinalized: (change: Parameters<PostgresIndexStore["publishUnfinalized"]>[0]) => {
    for (const { body } of change.added) onBytes(body.length);
    return store.publishUnfinalized(change);
  },
});

const readAfter = async (node: SharedOverlay, slot: Slot): Promise<number> => {
  const startMs = performance.now();
  while ((node.state?.processedSlot ?? 0) < slot) await new Promise((resolve) => setTimeout(resolve, 1));
  return performance.now() - startMs;
};
