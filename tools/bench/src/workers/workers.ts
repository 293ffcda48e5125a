import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseSync } from "node:sqlite";
import { encodeAddress } from "@lamplight/codecs";
import { type Bench, type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { sampleStore } from "../sample-store.ts";
import { sampleAssets } from "../search/sample-assets.ts";
import { rawLoad } from "./raw-load.ts";
import { type Serving, startServing } from "./serving.ts";
import { warmUp } from "./warm-up.ts";

const WORKERS = 2;
const ACCOUNTS = 200_000;
const ASSETS = Number(process.env["LAMPLIGHT_BENCH_ASSETS"] ?? 2_000_000);
/** Fewer than a server takes for overload. */
const CONNECTIONS = 48;
const ROUNDS = 7;
const ROUND_SECONDS = 3;
/** Pages of broad searches, in turn. */
const PAGES = 50;
/** Asked for in turn. */
const ADDRESSES = 256;
/** Until memory that is only used at the start is given back. */
const REST_MS = 10_000;

export const workersBench: Bench = {
  name: "workers",
  about: `serve --workers ${WORKERS} next to one: requests per second, and memory at ${ASSETS} assets`,
  async run(say): Promise<readonly Figure[]> {
    const accounts = await sampleStore("accounts", ACCOUNTS, say);
    const assets = await sampleAssets(ASSETS, say);
    // Filling an index reads the whole store, whose mapped pages would count as memory of the server that fills.
    await (await startServing(`sqlite:${assets}`, 1, true)).end();
    return [
      ...(await compareRates(accounts, new Map([["getAccountInfo", accountCalls(accounts)]]), false, say)),
      ...(await compareRates(assets, assetCalls(assets), true, say)),
    ];
  },
};

/** One server of each, loaded in turn with every kind of work. */
const compareRates = async (
  store: string,
  work: ReadonlyMap<string, readonly string[]>,
  withSearch: boolean,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  const one = await startServing(`sqlite:${store}`, 1, withSearch);
  const several = await startServing(`sqlite:${store}`, WORKERS, withSearch).catch((error: unknown) => {
    one.stop();
    throw error;
  });
  try {
    if (withSearch) figures.push(...(await memoryFigures(one, several)));
    for (const [name, bodies] of work) {
      for (const serving of [one, several]) await warmUp(serving.url, bodies);
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = round % 2 === 0 ? [one, several] : [several, one];
        const measured = new Map<Serving, Load>();
        for (const serving of order) measured.set(serving, await load(serving, bodies));
        rounds.push({ one: measured.get(one)!, several: measured.get(several)! });
        say(`${name}, round ${round + 1} of ${ROUNDS}: ${roundText(rounds.at(-1)!)}`);
      }
      figures.push(...rateFigures(name, rounds));
    }
    return figures;
  } finally {
    for (const serving of [one, several]) serving.stop();
  }
};

interface Round {
  readonly one: Load;
  readonly several: Load;
}

interface Load {
  readonly perSecond: number;
  readonly cpuMicros: number;
  /** Processors that the server had, and the load. */
  readonly cores: number;
  readonly loadCores: number;
  /** Of the time of the threads that answer, that of the one with most. */
  readonly busiestShare: number;
}

const load = async (serving: Serving, bodies: readonly string[]): Promise<Load> => {
  const [cpuBefore, threadsBefore] = [serving.cpuSeconds(), serving.threadSeconds()];
  const startMs = performance.now();
  const { requests, seconds, ownSeconds } = await rawLoad(serving.url, bodies, CONNECTIONS, ROUND_SECONDS);
  const elapsed = (performance.now() - startMs) / 1000;
  const cpu = serving.cpuSeconds() - cpuBefore;
  const threads = [...serving.threadSeconds()]
    .map(([thread, spent]) => spent - (threadsBefore.get(thread) ?? 0))
    .toSorted((a, b) => b - a)
    .slice(0, WORKERS);
  return {
    perSecond: requests / seconds,
    // The server is loaded a little longer than the answers are counted.
    cpuMicros: ((cpu / elapsed) * seconds * 1e6) / requests,
    cores: cpu / elapsed,
    loadCores: ownSeconds / seconds,
    busiestShare: threads[0]! / threads.reduce((sum, spent) => sum + spent, 0),
  };
};

const roundText = ({ one, several }: Round): string =>
  [one, several]
    .map(
      ({ perSecond, cpuMicros, cores, loadCores }) =>
        `${Math.round(perSecond)}/s, ${cpuMicros.toFixed(0)} µs each, on ${cores.toFixed(2)} cores next to ${loadCores.toFixed(2)}`,
    )
    .join("; with workers ");

const rateFigures = (name: string, rounds: readonly Round[]): readonly Figure[] => {
  const medianOf = (value: (round: Round) => number): number => median(rounds.map(value));
  const label = (text: string): string => `${name}: ${text}`;
  return [
    { name: label("one"), value: medianOf(({ one }) => one.perSecond), unit: "requests/s" },
    {
      name: label(`${WORKERS} workers, load on the same cores`),
      value: medianOf(({ several }) => several.perSecond),
      unit: "requests/s",
    },
    {
      name: label("as measured, load on the same cores"),
      value: medianOf(({ one, several }) => several.perSecond / one.perSecond),
      unit: "×",
    },
    // Anything that the load and others take, the server could use: so what counts is what it does with its own time.
    {
      name: label("for the same time of each processor"),
      value: medianOf(({ one, several }) => (WORKERS * one.cpuMicros) / several.cpuMicros),
      unit: "×",
      budget: budgets.workersRate,
    },
    {
      name: label("time of the busier worker, of both"),
      value: medianOf(({ several }) => several.busiestShare),
      unit: "",
      budget: budgets.busiestWorkerShare,
    },
  ];
};

const memoryFigures = async (one: Serving, several: Serving): Promise<readonly Figure[]> => {
  await sleep(REST_MS);
  const [oneMegabytes, allMegabytes] = [one.pssMegabytes(), several.pssMegabytes()];
  return [
    { name: "memory at rest: one", value: oneMegabytes, unit: "MB" },
    { name: `memory at rest: ${WORKERS} workers`, value: allMegabytes, unit: "MB" },
    {
      name: "memory at rest: a further worker, beyond 1.2 times one",
      value: (allMegabytes - 1.2 * oneMegabytes) / (WORKERS - 1),
      unit: "MB",
      budget: budgets.workerMegabytes,
    },
  ];
};

const callText = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

const addressesIn = (file: string, sql: string): readonly string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all(ADDRESSES)
      .map((row) => encodeAddress(Object.values(row)[0] as Uint8Array));
  } finally {
    database.close();
  }
};

const accountCalls = (file: string): readonly string[] =>
  addressesIn(
    file,
    "SELECT token_account FROM holding WHERE positive = 1 ORDER BY token_account LIMIT ?",
  ).map((address) => callText("getAccountInfo", [address, { encoding: "base64" }]));

const assetCalls = (file: string): ReadonlyMap<string, readonly string[]> => {
  const ids = addressesIn(file, "SELECT id FROM asset ORDER BY id LIMIT ?");
  const owners = addressesIn(file, "SELECT owner FROM asset WHERE owner IS NOT NULL ORDER BY id LIMIT ?");
  return new Map([
    ["getAsset", ids.map((id) => callText("getAsset", [id]))],
    ["search, owner", owners.map((owner) => callText("searchAssets", { ownerAddress: owner, limit: 10 }))],
    [
      "search, broad",
      owners.map((_, index) =>
        callText("searchAssets", {
          compressed: index % 2 === 0,
          burnt: false,
          limit: 10,
          page: 1 + (index % PAGES),
        }),
      ),
    ],
  ]);
};
