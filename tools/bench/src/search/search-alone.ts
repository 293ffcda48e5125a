import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AssetPosition,
  type BriefChange,
  closedBitsOf,
  type Criterion,
  type Ordinal,
  reads,
  type ReadView,
  type TermReader,
} from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { type Bench, type Figure, percentile, timesOf } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { plainAsset } from "./sample-assets.ts";
import { cursorAtHalf, searchShapes } from "./search-shapes.ts";

const ASSETS = 2_000_000;
const RUNS = 200;
const FIRST_SLOT = 200_000_000;
/** A rare criterion is met by one asset in so many. */
const RARE_EVERY = 50_000;

const size = Number(process.env["LAMPLIGHT_BENCH_ASSETS"] ?? ASSETS);

/** A number below 2^32 that looks drawn, the same for the same pair. */
const mixed = (ordinal: number, salt: number): number => {
  let word = Math.imul(ordinal ^ Math.imul(salt, 0x9e37_79b9), 0x85eb_ca6b);
  word = Math.imul(word ^ (word >>> 15), 0x2c1b_3c6d);
  word = Math.imul(word ^ (word >>> 12), 0x297a_2d39);
  return (word ^ (word >>> 15)) >>> 0;
};

const positionOf = (ordinal: Ordinal): AssetPosition => {
  const id = Buffer.alloc(32);
  id.writeUInt32BE(mixed(ordinal, 1), 0);
  id.writeUInt32BE(mixed(ordinal, 2), 4);
  id.writeUInt32BE(ordinal, 28);
  const slot = FIRST_SLOT + Math.floor(ordinal / 4);
  return { ordinal, id, createdSlot: slot, updatedSlot: slot + (mixed(ordinal, 3) % 1_000_000) };
};

const random = new Random(1, 0, 0);
/** Drawn from some thousand NFTs, with the shares of the sample store. */
const closedBits = Array.from({ length: 4096 }, (_, index) => plainAsset(random, index, size))
  .filter(({ ownerModel }) => ownerModel === "single")
  .map(closedBitsOf);

const changeOf = (ordinal: Ordinal): BriefChange => ({
  ordinal,
  changeSeq: ordinal + 1,
  facts: { ...positionOf(ordinal), closed: closedBits[mixed(ordinal, 4) % closedBits.length]! },
});

/** Criteria that are not kept in memory: a share of all, by kind. */
const everyOf = ({ kind }: Criterion): number => (kind === "group" || kind === "creator" ? 2000 : RARE_EVERY);

const terms: TermReader = {
  storeId: "from a function",
  changeSeq: size,
  nextOrdinal: size,
  listOrdinals: async (criterion, limit) => {
    const every = everyOf(criterion);
    const count = Math.ceil(size / every);
    return count > limit ? null : Uint32Array.from({ length: count }, (_, index) => index * every);
  },
  filterByName: async () => new Uint32Array(0),
  listChanges: async () => [],
  listBriefChanges: async (changeSeq, limit) =>
    Array.from({ length: Math.min(limit, size - changeSeq) }, (_, index) => changeOf(changeSeq + index)),
  readFacts: async (ids) => ids.map(() => null),
  readPositions: async (ordinals) => ordinals.map(positionOf),
};

const viewOf = (): ReadView => ({ terms, slot: FIRST_SLOT, close: () => {} }) as unknown as ReadView;

/** The search index by itself: what it costs at sizes whose store fits no small machine. */
export const searchAloneBench: Bench = {
  name: "search-alone",
  about: `total and page of searches over ${size} assets whose rows come from a function`,
  async run(say): Promise<readonly Figure[]> {
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-alone-"));
    try {
      return await measure(join(folder, "alone.search"), say);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const measure = async (file: string, say: (line: string) => void): Promise<readonly Figure[]> => {
  const filled = await start(file);
  say(`filled in ${filled.seconds.toFixed(1)} s`);
  const { columnBytes, orderBytes, termBytes } = filled.life.status();
  const figures: Figure[] = [
    { name: "bytes an asset", value: (columnBytes + orderBytes + termBytes) / size, unit: "B" },
    { name: "resident memory", value: process.memoryUsage.rss() / 1e6, unit: "MB" },
    ...(await measureShapes(filled.life, say)),
  ];
  await filled.life.close();
  say("starting again from the saved file");
  const again = await start(file);
  await again.life.close();
  return [...figures, { name: "restart", value: again.seconds, unit: "s" }];
};

interface Started {
  readonly life: SearchLife;
  readonly seconds: number;
}

const start = async (file: string): Promise<Started> => {
  const startMs = performance.now();
  const life = await startSearchLife({ viewSource: { openView: viewOf }, file });
  await life.filled;
  return { life, seconds: (performance.now() - startMs) / 1000 };
};

const measureShapes = async (life: SearchLife, say: (line: string) => void): Promise<readonly Figure[]> => {
  const view = await life.viewSource.openView("finalized");
  const figures: Figure[] = [];
  for (const { name, query } of searchShapes(await cursorAtHalf(view))) {
    const { total } = await view.read(reads.search(query));
    say(`${name}: ${total} matches`);
    const cpu: number[] = [];
    const times = await timesOf(RUNS, async () => {
      const before = process.threadCpuUsage();
      await view.read(reads.search(query));
      const { user, system } = process.threadCpuUsage(before);
      cpu.push(user + system);
    });
    figures.push(
      { name: `${name}: p50`, value: percentile(times, 0.5) / 1000, unit: "ms" },
      {
        name: `${name}: p99`,
        value: percentile(times, 0.99) / 1000,
        unit: "ms",
        budget: budgets.searchAloneP99Ms,
      },
      { name: `${name}: p99, processor time`, value: percentile(cpu, 0.99) / 1000, unit: "ms" },
    );
  }
  return figures;
};
