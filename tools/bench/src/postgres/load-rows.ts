import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountBatch, type BulkEncoder } from "@lamplight/core";
import { openPostgresBulkLoad } from "@lamplight/store-postgres";
import { type Figure, interleavedTimes, median } from "../bench.ts";
import type { BareDriver } from "./bare-driver.ts";
import { sampleBatch } from "./sample.ts";

const BATCH = 20_000;
const ROUNDS = 12;

/**
 * Rows of a first load, as the thread that writes them sees it: they come encoded, by another thread. Rows that follow
 * from them (programs, largest accounts) count in our time; both tables are written by both.
 */
export const measureLoad = async (url: string, driver: BareDriver): Promise<readonly Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-load-"));
  await driver.prepareLoad();
  const load = await openPostgresBulkLoad({ url: `${url}?schema=bench_load`, folder });
  try {
    const encoder = (await import(load.rowEncoderUrl)) as unknown as BulkEncoder;
    const batch = AccountBatch.of(sampleBatch(BATCH));
    const startMs = performance.now();
    const { encoded } = encoder.encodeBatch(batch, BATCH);
    const encodeSeconds = (performance.now() - startMs) / 1000;
    const bare = encoded as { readonly rows: Uint8Array; readonly holdings: Uint8Array };
    const times = await interleavedTimes(ROUNDS, [() => load.insertRows(encoded), () => driver.load(bare)]);
    const [ours, theirs] = times.map(median) as [number, number];
    return [
      { name: "accounts loaded by COPY", value: BATCH / (ours / 1e6), unit: "accounts/s" },
      {
        name: "accounts loaded by COPY, to the bare driver's",
        value: ours / theirs,
        unit: "×",
        budget: { atMost: 1.5 },
      },
      { name: "encoded for it by one thread", value: BATCH / encodeSeconds, unit: "accounts/s" },
    ];
  } finally {
    await load.close();
    rmSync(folder, { recursive: true });
  }
};
