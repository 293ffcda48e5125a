import { type AssetQuery, type ReadView, reads } from "@lamplight/core";
import { startSearchLife } from "@lamplight/search";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { encodeAddress } from "@lamplight/codecs";
import { callText } from "../harness/calls.ts";
import { type Bench, type Figure, percentile, timesOf } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { busyCollection, busyCreator, busyWallet, middleWallet, sampleAssets } from "./sample-assets.ts";
import { cursorAtHalf, searchShapes } from "./search-shapes.ts";

const ASSETS = 2_000_000;
const RUNS = 300;
/** Connections of the load on two builds. */
const CONNECTIONS = 16;
/** Plain SQL takes seconds on broad shapes. */
const SQL_RUNS = 3;
/** Pages above this are reported without their documents too: reading those is most of their time. */
const NORMAL_PAGE_MAX = 100;

/** `LAMPLIGHT_BENCH_ASSETS` asks for another size: 20,000,000 takes about 3 GB of memory and 40 GB of disk. */
const size = Number(process.env["LAMPLIGHT_BENCH_ASSETS"] ?? ASSETS);

export const searchBench: Bench = {
  name: "search",
  about: `total and page of searches over ${size} assets, next to the same in plain SQL`,
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleAssets(size, say);
    const reader = openSqliteReader({ file });
    const startMs = Date.now();
    const life = await startSearchLife({ viewSource: reader, file: null });
    await life.filled;
    say(`filled the index in ${((Date.now() - startMs) / 1000).toFixed(1)} s: ${memoryText(life.status())}`);
    const view = await life.viewSource.openView("finalized");
    const sqlView = await reader.openView("finalized");
    try {
      return await measureShapes(view, sqlView, say);
    } finally {
      view.close();
      sqlView.close();
      await life.close();
      reader.close();
    }
  },
  async served(say) {
    return [
      { store: `sqlite:${await sampleAssets(size, say)}`, work: searchWork(), connections: CONNECTIONS },
    ];
  },
};

/** Shapes of the table above that a request can ask for, as calls. */
const searchWork = (): ReadonlyMap<string, readonly string[]> => {
  const ownerAddress = encodeAddress(middleWallet());
  const params = {
    owner: { ownerAddress },
    "busy owner": { ownerAddress: encodeAddress(busyWallet()) },
    "broad: compressed": { compressed: true },
    intersection: {
      compressed: true,
      burnt: false,
      creatorAddress: encodeAddress(busyCreator()),
      creatorVerified: true,
    },
    any: { compressed: true, grouping: ["collection", busyCollection()], conditionType: "any" },
    negate: { compressed: true, burnt: false, negate: true },
    "deep page 500 × 1000, by id": { burnt: false, page: 500, limit: 1000 },
  };
  return new Map(
    Object.entries(params).map(([name, criteria]) => [
      name,
      [callText("searchAssets", { limit: 100, ...criteria })],
    ]),
  );
};

const measureShapes = async (
  view: ReadView,
  sqlView: ReadView,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const cursor = await cursorAtHalf(view);
  const figures: Figure[] = [];
  for (const { name, query: asked, broad } of searchShapes(cursor)) {
    const answer = await view.read(reads.search(asked));
    say(`${name}: ${answer.total} matches`);
    const cpuBefore = process.threadCpuUsage();
    const withDocuments = await timesOf(RUNS, () => pageWithDocuments(view, asked));
    const { user, system } = process.threadCpuUsage(cpuBefore);
    const ours = await timesOf(RUNS, () => view.read(reads.search(asked)));
    const sql = await timesOf(SQL_RUNS, () => sqlView.read(reads.search(asked)));
    const p50 = percentile(ours, 0.5) / 1000;
    figures.push(
      { name: `${name}: p50`, value: p50, unit: "ms" },
      {
        name: `${name}: p99`,
        value: percentile(ours, 0.99) / 1000,
        unit: "ms",
        budget: budgets.searchP99Ms,
      },
      {
        name: `${name}: processor time with documents`,
        // The processor time includes the warm-up.
        value: (user + system) / 1000 / (RUNS + RUNS / 10),
        unit: "ms",
      },
      { name: `${name}: p50 with documents`, value: percentile(withDocuments, 0.5) / 1000, unit: "ms" },
      {
        name: `${name}: p99 with documents`,
        value: percentile(withDocuments, 0.99) / 1000,
        unit: "ms",
        ...(asked.limit <= NORMAL_PAGE_MAX ? { budget: budgets.searchP99Ms } : {}),
      },
      {
        name: `${name}: plain SQL / ours`,
        value: percentile(sql, 0.5) / 1000 / p50,
        unit: "×",
        ...(broad ? { budget: budgets.sqlTimeOverSearch } : {}),
      },
    );
  }
  return figures;
};

const pageWithDocuments = async (view: ReadView, asked: AssetQuery): Promise<void> => {
  const { ordinals } = await view.read(reads.search(asked));
  await (view.read(reads.packedAssets(ordinals, Number.MAX_SAFE_INTEGER)) ??
    view.read(reads.ownAssets(ordinals)));
};

const memoryText = (memory: object): string =>
  Object.entries(memory)
    .map(([name, value]) => `${name} ${Number(value).toLocaleString("en")}`)
    .join(", ");
