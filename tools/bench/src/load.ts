import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  loadSnapshot,
  type LoadSnapshotOptions,
  type LoadSnapshotSummary,
} from "@lamplight/runtime/snapshot";
import type { Bench, Figure } from "./bench.ts";
import { sampleArchive } from "./load-archive.ts";
import { bareInsertSeconds } from "./load-bare.ts";
import { readAlone } from "./load-reading.ts";

const ACCOUNTS = Number(process.env["LAMPLIGHT_BENCH_ACCOUNTS"] ?? 2_000_000);
const RATIO_BASIC_MIN = 0.6;
const RATIO_FULL_MIN = 0.5;
const MEMORY_MAX_MB = 1500;
const MEMORY_SAMPLE_MS = 50;

export const loadBench: Bench = {
  name: "load",
  about: `a ledger snapshot of ${ACCOUNTS} mixed accounts into a store, next to reading alone and bare sorted inserts of the same rows`,
  async run(say): Promise<readonly Figure[]> {
    const archive = await sampleArchive(ACCOUNTS, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-load-"));
    const memory = watchMemory();
    try {
      say("reading and decompressing alone");
      const reading = await readAlone(archive);
      say("loading with capitalization and counts");
      const basic = await load(archive, join(folder, "basic.db"), "basic");
      rmSync(join(folder, "basic.db"));
      say("loading with the hash of every account");
      const full = await load(archive, join(folder, "full.db"), "full");
      const peakMb = memory.stop();
      say("bare sorted inserts of the same rows");
      const bare = bareInsertSeconds(join(folder, "full.db"), join(folder, "bare.db"));
      return figures({ reading, bare, basic, full, peakMb });
    } finally {
      memory.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Loaded = LoadSnapshotSummary & {
  /** Processor time of all threads, in seconds. */
  readonly processorSeconds: number;
};

interface Measured {
  /** Records per second. */
  readonly reading: number;
  readonly bare: ReturnType<typeof bareInsertSeconds>;
  readonly basic: Loaded;
  readonly full: Loaded;
  readonly peakMb: number;
}

const rate = (name: string, value: number): Figure => ({ name, value, unit: "accounts/s" });

const ratio = (name: string, value: number, atLeast?: number): Figure => ({
  name,
  value,
  unit: "×",
  ...(atLeast === undefined ? {} : { budget: { atLeast } }),
});

const seconds = (name: string, value: number): Figure => ({ name, value, unit: "s" });

/** From the archive to a proved store with its search index: nothing is left out of the time. */
const figures = ({ reading, bare, basic, full, peakMb }: Measured): readonly Figure[] => {
  const accounts = full.livingAccounts;
  const [basicRate, fullRate, bareRate] = [basic.seconds, full.seconds, bare.all].map(
    (time) => accounts / time,
  ) as [number, number, number];
  return [
    { name: "accounts", value: accounts, unit: "" },
    { name: "assets among them", value: full.assets, unit: "" },
    rate("reading and decompressing alone", reading),
    rate("bare sorted insert of the accounts alone", accounts / bare.accounts),
    rate("bare sorted insert of all rows, with indexes", bareRate),
    rate("end to end, capitalization and counts", basicRate),
    rate("end to end, full hash", fullRate),
    ratio("capitalization and counts / reading", basicRate / reading),
    ratio("full hash / reading", fullRate / reading),
    ratio("capitalization and counts / bare insert", basicRate / bareRate, RATIO_BASIC_MIN),
    ratio("full hash / bare insert", fullRate / bareRate, RATIO_FULL_MIN),
    seconds("bare insert", bare.all),
    ...[basic, full].flatMap((loaded, index) =>
      stageFigures(loaded, ["counts", "full hash"][index] as string),
    ),
    { name: "peak memory", value: peakMb, unit: "MB", budget: { atMost: MEMORY_MAX_MB } },
  ];
};

const stageFigures = (loaded: Loaded, which: string): readonly Figure[] => [
  ...Object.entries(loaded.stages).map(([stage, time]) => seconds(`${which}: ${stage}`, time)),
  seconds(`${which}: all, processor time`, loaded.processorSeconds),
];

const silent = { update: () => {}, say: () => {}, end: () => {} };

/** Without the index of fungible holdings, as for whole chains. */
const optionsOf = (full: string, file: string, verify: "full" | "basic"): LoadSnapshotOptions => ({
  full,
  incremental: null,
  store: `sqlite:${file}`,
  filter: null,
  verify,
  holdings: false,
});

const load = async (archive: string, file: string, verify: "full" | "basic"): Promise<Loaded> => {
  const before = process.cpuUsage();
  const summary = await loadSnapshot(optionsOf(archive, file, verify), silent);
  const { user, system } = process.cpuUsage(before);
  return { ...summary, processorSeconds: (user + system) / 1_000_000 };
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
