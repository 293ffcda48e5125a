import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadSnapshot, type LoadSnapshotOptions, type LoadSnapshotSummary } from "@lamplight/cli";
import { openArchiveSource, readArchive } from "@lamplight/sources";
import type { Bench, Figure } from "./bench.ts";
import { sampleArchive } from "./load-archive.ts";

const ACCOUNTS = 2_000_000;
const RATIO_BASIC_MIN = 0.6;
const RATIO_FULL_MIN = 0.5;
const MEMORY_MAX_MB = 1500;
const MEMORY_SAMPLE_MS = 50;
const BARE_STATEMENT_ROWS = 50;
const BARE_TRANSACTION_ROWS = 100_000;

export const loadBench: Bench = {
  name: "load",
  about: `a ledger snapshot of ${ACCOUNTS} mixed accounts into a store, beside reading alone and bare sorted inserts`,
  async run(say): Promise<readonly Figure[]> {
    const archive = await sampleArchive(ACCOUNTS, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-load-"));
    const memory = watchMemory();
    try {
      say("reading and decompressing alone");
      const reading = await readAlone(archive);
      say("loading with capitalization and counts");
      const basicSeconds = await loadAccountsOnly(archive, join(folder, "basic.db"));
      say("loading with the hash of every account");
      const full = await load(archive, join(folder, "full.db"), "full");
      const peakMb = memory.stop();
      say("bare sorted inserts of the same rows");
      const bare = bareInsert(join(folder, "full.db"), join(folder, "bare.db"));
      return figures({ reading, bare, basicSeconds, full, peakMb });
    } finally {
      memory.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Measured {
  /** Accounts per second. */
  readonly reading: number;
  readonly bare: number;
  /** Until every account was inserted and the capitalization proved. */
  readonly basicSeconds: number;
  readonly full: LoadSnapshotSummary;
  readonly peakMb: number;
}

const rate = (name: string, value: number): Figure => ({ name, value, unit: "accounts/s" });

const ratio = (name: string, value: number, atLeast?: number): Figure => ({
  name,
  value,
  unit: "×",
  ...(atLeast === undefined ? {} : { budget: { atLeast } }),
});

const figures = ({ reading, bare, basicSeconds, full, peakMb }: Measured): readonly Figure[] => {
  const basicRate = full.livingAccounts / basicSeconds;
  const fullRate = full.livingAccounts / (full.stages.read + full.stages.insert);
  const stage = (name: keyof LoadSnapshotSummary["stages"]): Figure => ({
    name: `stage ${name}, with the full hash`,
    value: full.stages[name],
    unit: "s",
  });
  return [
    rate("reading and decompressing alone", reading),
    rate("bare sorted insert", bare),
    rate("accounts loaded, capitalization and counts", basicRate),
    rate("accounts loaded, full hash", fullRate),
    ratio("capitalization and counts / reading", basicRate / reading),
    ratio("full hash / reading", fullRate / reading),
    ratio("capitalization and counts / bare insert", basicRate / bare, RATIO_BASIC_MIN),
    ratio("full hash / bare insert", fullRate / bare, RATIO_FULL_MIN),
    stage("read"),
    stage("insert"),
    stage("derive"),
    stage("finish"),
    { name: "assets derived", value: full.assets / full.stages.derive, unit: "assets/s" },
    rate("the whole way to a served store, full hash", full.livingAccounts / full.seconds),
    { name: "peak memory", value: peakMb, unit: "MB", budget: { atMost: MEMORY_MAX_MB } },
  ];
};

const readAlone = async (archive: string): Promise<number> => {
  const startMs = performance.now();
  let records = 0;
  await readArchive(await openArchiveSource(archive), {
    onManifest: () => {},
    onProgress: () => {},
    openStorage: () => () => {
      records += 1;
    },
  });
  return (1000 * records) / (performance.now() - startMs);
};

const silent = { update: () => {}, say: () => {}, end: () => {} };

/** Without the index of fungible holdings, as for whole chains. */
const optionsOf = (full: string, file: string, verify: "full" | "basic"): LoadSnapshotOptions => ({
  full,
  incremental: null,
  file,
  filter: null,
  verify,
  holdings: false,
});

const load = (archive: string, file: string, verify: "full" | "basic"): Promise<LoadSnapshotSummary> =>
  loadSnapshot(optionsOf(archive, file, verify), silent);

/** Stops where the accounts are in and the assets begin. */
const loadAccountsOnly = async (archive: string, file: string): Promise<number> => {
  const stopping = new AbortController();
  const startMs = performance.now();
  let seconds = 0;
  const update = ({ stage }: { readonly stage: string }): void => {
    if (stage !== "derive" || stopping.signal.aborted) return;
    seconds = (performance.now() - startMs) / 1000;
    stopping.abort(new Error("the accounts are in"));
  };
  await loadSnapshot(optionsOf(archive, file, "basic"), { ...silent, update }, stopping.signal).catch(
    (error: unknown) => {
      if (seconds === 0) throw error;
    },
  );
  return seconds;
};

/** The account rows of a store, read first, inserted in order into a table of the same columns: no journal, no index. */
const bareInsert = (from: string, to: string): number => {
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(to);
  try {
    target.exec(
      "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -262144",
    );
    const { sql } = source.prepare("SELECT sql FROM sqlite_schema WHERE name = 'account'").get() as {
      sql: string;
    };
    target.exec(sql);
    const page = source.prepare("SELECT * FROM account WHERE id > ? ORDER BY id LIMIT 50000");
    page.setReadBigInts(true);
    page.setReturnArrays(true);
    const row = `(${Array.from({ length: 11 }, () => "?").join(", ")})`;
    const statement = (rows: number) =>
      target.prepare(`INSERT INTO account VALUES ${Array.from({ length: rows }, () => row).join(", ")}`);
    const [many, one] = [statement(BARE_STATEMENT_ROWS), statement(1)];
    let rows = 0;
    let elapsedMs = 0;
    let last = -(2n ** 63n);
    target.exec("BEGIN");
    for (;;) {
      const found = page.all(last) as unknown as (bigint | Uint8Array | null)[][];
      if (found.length === 0) break;
      last = found.at(-1)?.[0] as bigint;
      const startMs = performance.now();
      for (let at = 0; at < found.length; at += BARE_STATEMENT_ROWS) {
        const slice = found.slice(at, at + BARE_STATEMENT_ROWS);
        if (slice.length === BARE_STATEMENT_ROWS) many.run(...slice.flat());
        else for (const values of slice) one.run(...values);
        rows += slice.length;
        if (rows % BARE_TRANSACTION_ROWS < BARE_STATEMENT_ROWS) target.exec("COMMIT; BEGIN");
      }
      elapsedMs += performance.now() - startMs;
    }
    const startMs = performance.now();
    target.exec("COMMIT");
    elapsedMs += performance.now() - startMs;
    return (1000 * rows) / elapsedMs;
  } finally {
    source.close();
    target.close();
  }
};

/** Highest resident memory of the process, its threads included. */
const watchMemory = (): { stop(): number } => {
  let peak = process.memoryUsage.rss();
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, MEMORY_SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak / 1_000_000;
    },
  };
};
