// How long the switch to new rules keeps other commits waiting: one transaction over all assets that differ, in each engine.
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type Asset, DERIVATION, emptyChangeSet, type IndexStore, type NextSet } from "@lamplight/core";
import { findBackupBinaries, startPostgres } from "@lamplight/postgres-test";
import { openStoreForWriting } from "@lamplight/runtime";
import type { Bench, Figure } from "./bench.ts";
import { treeSeconds } from "./harness/process-seconds.ts";
import { sampleStore } from "./sample-store.ts";

const rows = Number(process.env["LAMPLIGHT_BENCH_ASSETS"] ?? 24_358);
const SAMPLE_ACCOUNTS = 50_000;
const PAGE_ROWS = 1000;
const MICROSECONDS = 1e6;

/** What new rules may make otherwise. */
const changes: Readonly<Record<string, (asset: Asset) => Asset>> = {
  "the document": changedDocument,
  "the document, a fact and the creators": (asset) => ({
    ...changedDocument(asset),
    frozen: !asset.frozen,
    creators: asset.creators.map((creator) => ({ ...creator, verified: !creator.verified })),
  }),
};

function changedDocument(asset: Asset): Asset {
  return { ...asset, document: asset.document.replace("{", '{"rules":2,') };
}

export const switchBench: Bench = {
  name: "switch",
  about: `the switch to new rules where ${rows} assets differ`,
  async run(say): Promise<readonly Figure[]> {
    const assets = await sampleAssets(say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-switch-"));
    try {
      const sqlite = await measure("SQLite", `sqlite:${join(folder, "switch.db")}`, assets, say);
      const binaries = findBackupBinaries();
      if (binaries === null) return sqlite;
      const postgres = await startPostgres(binaries);
      try {
        return [...sqlite, ...(await measure("PostgreSQL", postgres.url, assets, say))];
      } finally {
        await postgres.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** So many assets as the sample store has documents of, each at an address of its own. */
const sampleAssets = async (say: (line: string) => void): Promise<readonly Asset[]> => {
  const store = await openStoreForWriting(`sqlite:${await sampleStore("assets", SAMPLE_ACCOUNTS, say)}`, {
    create: false,
  });
  const page = await store.readAssetPage(0, rows);
  await store.close();
  return Array.from({ length: rows }, (_, index) => {
    const { ordinal: _ordinal, ...asset } = page[index % page.length]!;
    return { ...asset, id: hash("sha256", `asset ${index}`, "buffer") };
  });
};

const measure = async (
  engine: string,
  url: string,
  assets: readonly Asset[],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  say(`${engine}: writing ${rows} assets`);
  const store = await openStoreForWriting(url, { create: true });
  try {
    await write(store, assets);
    const figures: Figure[] = [];
    let kept = assets;
    for (const [what, change] of Object.entries(changes)) {
      say(`${engine}: switching where ${what} differ`);
      const next = kept.map(change);
      const { elapsed, used } = await switchTo(store.nextSet!, next, DERIVATION + figures.length);
      figures.push(
        { name: `${engine}: ${what}`, value: elapsed, unit: "s" },
        { name: `${engine}: ${what}, a row`, value: (elapsed * MICROSECONDS) / rows, unit: "µs" },
        { name: `${engine}: ${what}, processors, a row`, value: (used * MICROSECONDS) / rows, unit: "µs" },
      );
      kept = next;
    }
    return figures;
  } finally {
    await store.close();
  }
};

const write = async (store: IndexStore, assets: readonly Asset[]): Promise<void> => {
  for (let from = 0; from < assets.length; from += PAGE_ROWS)
    await store.commit({ ...emptyChangeSet, assets: assets.slice(from, from + PAGE_ROWS) });
  await store.commit({ ...emptyChangeSet, watermark: { slot: 1, blockhash: null } });
};

/** Seconds in which nothing else can be committed, and processor time of this process and of the server in them. */
const switchTo = async (
  nextSet: NextSet,
  assets: readonly Asset[],
  version: number,
): Promise<{ readonly elapsed: number; readonly used: number }> => {
  await nextSet.begin(version);
  for (let from = 0; from < assets.length; from += PAGE_ROWS) {
    const page = assets
      .slice(from, from + PAGE_ROWS)
      .map((asset) => ({ id: asset.id, body: serialize(asset) }));
    await nextSet.fill(page, { version, after: null, isFilled: true });
  }
  const [startMs, before] = [performance.now(), treeSeconds([process.pid])];
  await nextSet.finish(version, emptyChangeSet, (body) => deserialize(body) as Asset | null);
  return { elapsed: (performance.now() - startMs) / 1000, used: treeSeconds([process.pid]) - before };
};
