import { withBoth } from "../against.ts";
import type { Against } from "../served-work.ts";
import { type Bench, type Figure, percentile } from "../bench.ts";
import { budgets } from "../budgets.ts";
import type { TurnsReport } from "../harness/probe-turns.ts";
import { inRounds, ratioFigure, ratiosOf } from "../harness/rounds.ts";
import { type ServeOptions, type ServerProcess, serveStore } from "../harness/serve.ts";
import { keptStore } from "../kept-store.ts";
import { type HostileCall, hostileCalls } from "./hostile-calls.ts";
import { buildHostileStore, type HostileSizes } from "./hostile-store.ts";

const sizes: HostileSizes = {
  delegated: 200_000,
  heldMints: 150_000,
  owned: 100_000,
  prints: 200_000,
  large: 64,
  largeBytes: 2 << 20,
  accountBytes: 10 << 20,
};

/** Raise when the store changes. */
const STORE_VERSION = 1;
const options: ServeOptions = { probe: "probe-turns.ts" };
const PROBE_EVERY_MS = 20;

/** Expensive calls one after another, with a probe next to them: how long a turn of the event loop is, and memory. */
export const turnsBench: Bench = {
  name: "turns",
  about: "processor time of turns of the event loop under the most expensive calls",
  async run(say): Promise<readonly Figure[]> {
    const file = await hostileStore(say);
    const server = await serveStore(`sqlite:${file}`, options);
    try {
      const figures: Figure[] = [];
      for (const call of hostileCalls(sizes.prints)) figures.push(...(await measure(server, call, say)));
      return figures;
    } finally {
      server.stop();
    }
  },
  async against(against, say): Promise<readonly Figure[]> {
    const file = await hostileStore(say);
    return withBoth(`sqlite:${file}`, against, options, async (servers) => {
      const figures: Figure[] = [];
      for (const call of hostileCalls(sizes.prints))
        figures.push(...(await compareTurns(servers, call, against, say)));
      return figures;
    });
  },
};

const sum = (turns: readonly number[]): number => turns.reduce((total, turn) => total + turn, 0);
const longest = (turns: readonly number[]): number => Math.max(...turns);

const compareTurns = async (
  servers: readonly ServerProcess[],
  { name, body }: HostileCall,
  { rounds }: Against,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const turnsOf = async ({ url, report }: ServerProcess): Promise<readonly number[]> => {
    await report<TurnsReport>();
    await post(url, body);
    return (await report<TurnsReport>()).turns;
  };
  // The first answer warms the caches of the store.
  for (const server of servers) await turnsOf(server);
  const [ours, theirs] = await inRounds(rounds, servers, turnsOf, (_, round) =>
    say(`${name}, round ${round + 1} of ${rounds}`),
  );
  return [
    ratioFigure(`${name}: processor time, this / other`, ratiosOf(ours!, theirs!, sum)),
    ratioFigure(`${name}: longest turn, this / other`, ratiosOf(ours!, theirs!, longest)),
  ];
};

const hostileStore = (say: (line: string) => void): Promise<string> =>
  keptStore("turns", STORE_VERSION, (file) => {
    say(`building a store: ${JSON.stringify(sizes)}`);
    return buildHostileStore(file, sizes);
  });

const measure = async (
  { url, report }: ServerProcess,
  call: HostileCall,
  say: (line: string) => void,
): Promise<Figure[]> => {
  // The first answer warms the caches of the store.
  await post(url, call.body);
  await report<TurnsReport>();
  const startMs = performance.now();
  const answering = post(url, call.body);
  const probesMs = await probeUntil(url, answering);
  const { bytes, start } = await answering;
  const tookMs = performance.now() - startMs;
  const { turns, peakBytes } = await report<TurnsReport>();
  say(
    `${call.name}: ${Math.round(tookMs)} ms, ${turns.length} turns, ${bytes} bytes, ` +
      `${Math.round(peakBytes / 2 ** 20)} MiB; ${start}`,
  );
  const budget = call.single === undefined ? budgets.turnP99Ms : budgets.singleTurnMs;
  const about = call.single === undefined ? "" : ` (${call.single})`;
  return [
    { name: `${call.name}: turn, p99${about}`, value: percentile(turns, 0.99), unit: "ms", budget },
    {
      name: `${call.name}: longest turn`,
      value: Math.max(0, ...turns),
      unit: "ms",
      budget: budgets.singleTurnMs,
    },
    { name: `${call.name}: slowest probe next to it`, value: Math.max(0, ...probesMs), unit: "ms" },
  ];
};

const post = async (url: URL, body: string): Promise<{ bytes: number; start: string }> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  return { bytes: Buffer.byteLength(text), start: text.slice(0, 160) };
};

const probeUntil = async (url: URL, answered: Promise<unknown>): Promise<readonly number[]> => {
  const over = new AbortController();
  void answered.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const startMs = performance.now();
    await (await fetch(new URL("/livez", url))).text();
    times.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  return times;
};
