import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { accountCalls, addressesIn, assetCalls, callText } from "../harness/calls.ts";
import { load, type Load } from "../harness/load.ts";
import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { type ServerProcess, serveStore } from "../harness/serve.ts";
import { sampleStore } from "../sample-store.ts";
import { sampleAssets } from "../search/sample-assets.ts";
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
/** Milliseconds until memory that is only used at the start is given back. */
const REST_MS = 10_000;

export const workersBench: Bench = {
  name: "workers",
  about: `serve --workers ${WORKERS} next to one: requests per second, and memory at ${ASSETS} assets`,
  async run(say): Promise<readonly Figure[]> {
    const accounts = await sampleStore("accounts", ACCOUNTS, say);
    const assets = await sampleAssets(ASSETS, say);
    // Filling an index reads the whole store, whose mapped pages would count as memory of the server that fills.
    await (await serveStore(`sqlite:${assets}`)).end();
    return [
      ...(await compareRates(accounts, accountWork(accounts), false, say)),
      ...(await compareRates(assets, assetWork(assets), true, say)),
    ];
  },
  async served(say) {
    const accounts = await sampleStore("accounts", ACCOUNTS, say);
    const assets = await sampleAssets(ASSETS, say);
    const connections = CONNECTIONS;
    const options = { workers: WORKERS };
    return [
      {
        store: `sqlite:${accounts}`,
        work: accountWork(accounts),
        connections,
        options: { ...options, withSearch: false },
      },
      { store: `sqlite:${assets}`, work: assetWork(assets), connections, options },
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
  const one = await serveStore(`sqlite:${store}`, { workers: 1, withSearch });
  const several = await serveStore(`sqlite:${store}`, { workers: WORKERS, withSearch }).catch(
    (error: unknown) => {
      one.stop();
      throw error;
    },
  );
  const servers = [one, several];
  try {
    if (withSearch) figures.push(...(await memoryFigures(one, several)));
    for (const [name, bodies] of work) {
      for (const { url } of servers) await warmUp(url, bodies);
      const rounds = await inRounds(
        ROUNDS,
        servers,
        (server) => loadThreads(server, bodies),
        (round, index) => say(`${name}, round ${index + 1} of ${ROUNDS}: ${roundText(round)}`),
      );
      figures.push(...rateFigures(name, rounds[0]!, rounds[1]!));
    }
    return figures;
  } finally {
    for (const server of servers) server.stop();
  }
};

interface ThreadsLoad extends Load {
  /** Share of the busiest thread in the time of the threads that answer. */
  readonly busiestShare: number;
}

const loadThreads = async (server: ServerProcess, bodies: readonly string[]): Promise<ThreadsLoad> => {
  const before = server.threadSeconds();
  const loaded = await load(server, bodies, { connections: CONNECTIONS, seconds: ROUND_SECONDS });
  const threads = [...server.threadSeconds()]
    .map(([thread, spent]) => spent - (before.get(thread) ?? 0))
    .toSorted((a, b) => b - a)
    .slice(0, WORKERS);
  return { ...loaded, busiestShare: threads[0]! / threads.reduce((sum, spent) => sum + spent, 0) };
};

const roundText = (loads: readonly ThreadsLoad[]): string =>
  loads
    .map(
      ({ perSecond, serverMicros, cores, loadCores }) =>
        `${Math.round(perSecond)}/s, ${serverMicros.toFixed(0)} µs each, on ${cores.toFixed(2)} cores next to ${loadCores.toFixed(2)}`,
    )
    .join("; with workers ");

const rateFigures = (
  name: string,
  one: readonly ThreadsLoad[],
  several: readonly ThreadsLoad[],
): readonly Figure[] => {
  const label = (text: string): string => `${name}: ${text}`;
  const perSecond = (loaded: ThreadsLoad): number => loaded.perSecond;
  return [
    { name: label("one"), value: median(one.map(perSecond)), unit: "requests/s" },
    {
      name: label(`${WORKERS} workers, load on the same cores`),
      value: median(several.map(perSecond)),
      unit: "requests/s",
    },
    {
      name: label("as measured, load on the same cores"),
      value: median(ratiosOf(several, one, perSecond)),
      unit: "×",
    },
    // Anything that the load and others take, the server could use: so what counts is what it does with its own time.
    {
      name: label("for the same time of each processor"),
      value: WORKERS * median(ratiosOf(one, several, ({ serverMicros }) => serverMicros)),
      unit: "×",
      budget: budgets.workersRate,
    },
    {
      name: label("time of the busier worker, of both"),
      value: median(several.map(({ busiestShare }) => busiestShare)),
      unit: "",
      budget: budgets.busiestWorkerShare,
    },
  ];
};

const memoryFigures = async (one: ServerProcess, several: ServerProcess): Promise<readonly Figure[]> => {
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

const accountWork = (file: string): ReadonlyMap<string, readonly string[]> =>
  new Map([["getAccountInfo", accountCalls(file)]]);

const assetWork = (file: string): ReadonlyMap<string, readonly string[]> => {
  const owners = addressesIn(file, "SELECT owner FROM asset WHERE owner IS NOT NULL ORDER BY id LIMIT ?");
  return new Map([
    ["getAsset", assetCalls(file)],
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
