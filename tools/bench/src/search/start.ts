import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetWithEditions, BulkEncoder } from "@lamplight/core";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { startPostgres } from "@lamplight/postgres-test";
import { openPostgresBulkLoad, openPostgresReader } from "@lamplight/store-postgres";
import { type Bench, type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { ascendingAssets } from "./sample-assets.ts";

const ASSETS = 2_000_000;
const STARTS = 3;
const PAGE = 20_000;
/** Above those of the assets. */
const SLOT = 300_000_000;

const size = Number(process.env["LAMPLIGHT_BENCH_ASSETS"] ?? ASSETS);

/** Measures how soon a node over PostgreSQL answers searches from memory. */
export const startBench: Bench = {
  name: "start",
  about: `until the search index over ${size} assets in PostgreSQL answers: saved, next to filled from the store`,
  async run(say): Promise<readonly Figure[]> {
    const server = await startPostgres();
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-start-"));
    try {
      say(`loading ${size} assets`);
      await loadAssets(server.url, folder);
      return await measure(server.url, join(folder, "index.search"), say);
    } finally {
      rmSync(folder, { recursive: true });
      await server.stop();
    }
  },
};

const loadAssets = async (url: string, folder: string): Promise<void> => {
  const load = await openPostgresBulkLoad({ url, folder });
  try {
    const encoder = (await import(load.rowEncoderUrl)) as BulkEncoder;
    await load.finishAccounts({ slot: SLOT, blockhash: null });
    const derived = await load.openDerived();
    let page: AssetWithEditions[] = [];
    const flush = async (): Promise<void> => {
      await derived.insertAssets(encoder.encodeAssets(page).encoded);
      page = [];
    };
    for (const asset of ascendingAssets(size)) {
      page.push({ asset, editions: [] });
      if (page.length === PAGE) await flush();
    }
    await flush();
    await derived.close();
    await load.publish({ kind: "whole" }, {}, () => {});
  } finally {
    await load.close();
  }
};

const measure = async (
  url: string,
  file: string,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  say("filling an index");
  const filled = await startNode(url, file);
  await filled.stop();
  const restarts: number[] = [];
  const seconds: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    say("starting a node, and a second one");
    const first = await startNode(url, file);
    const second = await startNode(url, file);
    restarts.push(first.seconds);
    seconds.push(second.seconds);
    await second.stop();
    await first.stop();
  }
  const over = (name: string, value: number): readonly Figure[] => [
    { name, value, unit: "s" },
    {
      name: `${name} / filled from the store`,
      value: value / filled.seconds,
      unit: "×",
      budget: budgets.startTimeOverFill,
    },
  ];
  return [
    { name: "filled from the store", value: filled.seconds, unit: "s" },
    ...over("restart", median(restarts)),
    ...over("second node", median(seconds)),
  ];
};

interface Node {
  /** Seconds from the start with empty memory until searches are answered from memory. */
  readonly seconds: number;
  stop(): Promise<void>;
}

const startNode = async (url: string, file: string): Promise<Node> => {
  const reader = await openPostgresReader({ url });
  const startMs = performance.now();
  const life: SearchLife = await startSearchLife({ viewSource: reader, file });
  await life.filled;
  const seconds = (performance.now() - startMs) / 1000;
  return {
    seconds,
    stop: async () => {
      await life.close();
      reader.close();
    },
  };
};
