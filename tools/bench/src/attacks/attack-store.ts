import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROWS_FORMAT } from "@lamplight/core";
import { buildHostileStore, type HostileSizes } from "../turns/hostile-store.ts";

/** 400 MB of documents of 2 MB: one document that many assets name. */
const sizes: HostileSizes = {
  delegated: 20_000,
  heldMints: 20_000,
  owned: 20_000,
  prints: 1000,
  large: 200,
  largeBytes: 2_000_000,
  accountBytes: 10 << 20,
};

/** Raise when the store changes. */
const STORE_VERSION = 1;

/** Built once per machine, among temporary files. */
export const attackStore = async (say: (line: string) => void): Promise<string> => {
  const folder = join(tmpdir(), `lamplight-bench-attacks-${STORE_VERSION}-${ROWS_FORMAT}`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "attacked.db");
  if (existsSync(file)) return file;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}.partial${suffix}`, { force: true });
  say(`building a store: ${JSON.stringify(sizes)}`);
  await buildHostileStore(`${file}.partial`, sizes);
  renameSync(`${file}.partial`, file);
  return file;
};
