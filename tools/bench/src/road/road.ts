import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { ForkOverlay } from "@lamplight/indexer";
import { startPostgres } from "@lamplight/postgres-test";
import { serveViews } from "@lamplight/runtime/views";
import { silentLog, startServer } from "@lamplight/server";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import type { Bench, Figure } from "../bench.ts";
import { fillSample, sampleAssetId } from "../postgres/sample.ts";

/** Calls that fill the caches of a server before calls are measured. */
const WARM_UP_CALLS = 50;
/** A timer may run during one call. It does not run during all of them. */
const CALLS = 100;

const packages = new URL("../../../../packages/", import.meta.url).href;

/**
 * The files of ours through which a request passes, by V8's own count of the functions that ran. It is answered above
 * the finalized slot, and with a search index, as by `serve` next to a process that follows.
 */
export const roadBench: Bench = {
  name: "road",
  about:
    "files in which a function runs during one warm getAsset over HTTP and PostgreSQL, with overlay and search",
  async run(say): Promise<readonly Figure[]> {
    const postgres = await startPostgres();
    const folder = mkdtempSync(join(tmpdir(), "lamplight-road-"));
    const inspector = new Session();
    inspector.connect();
    try {
      const store = await openPostgresStore({ url: postgres.url, mode: "write" });
      await store.writeCoverage({ kind: "whole" });
      await fillSample(store);
      const reader = await openPostgresReader({ url: postgres.url });
      const overlay = await ForkOverlay.open({ store, viewSource: reader, shared: store });
      const parent = overlay.state.finalizedSlot;
      await overlay.add({ slot: parent + 1, parent, blockhash: "bench", accounts: [], transactions: [] });
      await overlay.confirm(parent + 1);
      const views = await serveViews(postgres.url, {
        views: { most: 16, workers: 1 },
        searchCache: folder,
        log: silentLog,
      });
      views.start();
      const { viewSource } = views;
      const server = await startServer({ viewSource, keys: ["bench"], port: 0 });
      while (views.searchStatus()?.isFilling !== false) await setTimeout(100);
      const params = [encodeAddress(sampleAssetId(1))];
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAsset", params });
      const headers = { "content-type": "application/json" };
      const ask = async (): Promise<void> => {
        await (await fetch(`${server.url}/v3/bench`, { method: "POST", headers, body })).text();
      };
      for (let call = 0; call < WARM_UP_CALLS; call++) await ask();
      const files = await filesOf(inspector, ask);
      for (const file of files) say(file);
      await server.stop();
      await views.stop();
      reader.close();
      await store.close();
      return [{ name: "files of one getAsset", value: files.length, unit: "files" }];
    } finally {
      inspector.disconnect();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

const filesOf = async (inspector: Session, ask: () => Promise<void>): Promise<readonly string[]> => {
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const files: Set<string>[] = [];
  for (let call = 0; call < CALLS; call++) {
    await inspector.post("Profiler.takePreciseCoverage");
    await ask();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    const ran = result
      .filter(({ url }) => url.startsWith(packages) && !url.includes("/node_modules/"))
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => url.slice(packages.length));
    files.push(new Set(ran));
  }
  const [first, ...others] = files;
  return [...first!].filter((file) => others.every((other) => other.has(file))).toSorted();
};
