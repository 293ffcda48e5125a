import { setTimeout as sleep } from "node:timers/promises";
import { engineOf } from "@lamplight/runtime";
import { median, TooBusyError } from "../bench.ts";
import { rawLoad } from "../workers/raw-load.ts";
import { startServing } from "../workers/serving.ts";
import { reasonFor } from "./decided.ts";
import { type Difference, differencesOf } from "./differences.ts";
import type { ReadCall, ReadsOptions } from "./reads-options.ts";
import { postgresPid, treeSeconds } from "./process-time.ts";

/** Medians over the rounds. */
export interface Rates {
  readonly perSecond: number;
  /** Processor time of one request, in microseconds. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

/** What one kind of work came to on one store. */
export interface ReadsResult {
  readonly work: string;
  readonly store: "SQLite" | "PostgreSQL";
  readonly ours: Rates;
  readonly theirs: Rates;
  /** Medians of the rounds' own ratios. */
  readonly ratio: number;
  /** Processor time of the peer over ours. */
  readonly processorRatio: number;
  /** Processors that the peer keeps busy without a request. */
  readonly peerAtRest: number;
  readonly asked: number;
  /** Answers with a difference that is not in the list of decided ones. */
  readonly wrong: number;
  /** How many answers have it, and one example. */
  readonly differences: ReadonlyMap<string, { readonly answers: number; readonly example: Difference }>;
}

interface Contender {
  readonly side: keyof ReadCall;
  readonly name: string;
  readonly url: URL;
  readonly pids: readonly number[];
  readonly databasePids: readonly number[];
  stop(): void;
}

const WARM_UP_SECONDS = 2;
const REST_SECONDS = 3;

/** Compares the answers, then loads all servers in turn. */
export const runReads = async (
  options: ReadsOptions,
  say: (line: string) => void,
): Promise<readonly ReadsResult[]> => {
  const { name, url, pids, databasePids } = options.peer;
  const peer: Contender = { side: "theirs", name, url: new URL(url), pids, databasePids, stop: () => {} };
  const contenders: Contender[] = [];
  try {
    for (const store of options.stores) contenders.push(await serve(store, options.workers));
    const peerAtRest = await coresAtRest(peer);
    const results: ReadsResult[] = [];
    for (const [work, calls] of options.work)
      for (const result of await measure(work, calls, contenders, peer, options, say))
        results.push({ ...result, peerAtRest });
    return results;
  } finally {
    for (const contender of contenders) contender.stop();
  }
};

const serve = async (store: string, workers: number): Promise<Contender> => {
  const { name, fileOf } = engineOf(store);
  const databasePids = fileOf(store) === null ? [await postgresPid(store)] : [];
  const { url, pid, stop } = await startServing(store, workers, true);
  return { side: "ours", name, url, pids: [pid], databasePids, stop };
};

const coresAtRest = async ({ pids, databasePids }: Contender): Promise<number> => {
  const [before, startMs] = [treeSeconds([...pids, ...databasePids]), performance.now()];
  await sleep(REST_SECONDS * 1000);
  return (treeSeconds([...pids, ...databasePids]) - before) / ((performance.now() - startMs) / 1000);
};

const measure = async (
  work: string,
  calls: readonly ReadCall[],
  stores: readonly Contender[],
  peer: Contender,
  options: ReadsOptions,
  say: (line: string) => void,
): Promise<readonly Omit<ReadsResult, "peerAtRest">[]> => {
  const compared = new Map<Contender, Compared>();
  for (const store of stores) {
    compared.set(store, await compareAnswers(calls, store.url, peer.url));
    say(`${work}, ${store.name}: ${calls.length} answers compared, ${compared.get(store)!.wrong} are wrong`);
  }
  const all = [...stores, peer];
  for (const contender of all) await load(contender, calls, { ...options, seconds: WARM_UP_SECONDS });
  const rounds: ReadonlyMap<Contender, Rates>[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const loads = new Map<Contender, Rates>();
    // Who comes first changes with each round.
    const first = round % all.length;
    for (const contender of [...all.slice(first), ...all.slice(0, first)])
      loads.set(contender, await load(contender, calls, options));
    say(`${work}, round ${round + 1} of ${options.rounds}: ${roundText(loads)}`);
    rounds.push(loads);
  }
  return stores.map((store) => {
    const of = (value: (ours: Rates, theirs: Rates) => number): number =>
      median(rounds.map((loads) => value(loads.get(store)!, loads.get(peer)!)));
    return {
      work,
      store: store.name as ReadsResult["store"],
      ours: ratesOf(rounds.map((loads) => loads.get(store)!)),
      theirs: ratesOf(rounds.map((loads) => loads.get(peer)!)),
      ratio: of((ours, theirs) => ours.perSecond / theirs.perSecond),
      processorRatio: of((ours, theirs) => totalMicros(theirs) / totalMicros(ours)),
      asked: calls.length,
      ...compared.get(store)!,
    };
  });
};

const totalMicros = ({ serverMicros, databaseMicros }: Rates): number => serverMicros + databaseMicros;

const ratesOf = (loads: readonly Rates[]): Rates => ({
  perSecond: median(loads.map((one) => one.perSecond)),
  serverMicros: median(loads.map((one) => one.serverMicros)),
  databaseMicros: median(loads.map((one) => one.databaseMicros)),
});

const roundText = (loads: ReadonlyMap<Contender, Rates>): string =>
  [...loads]
    .map(
      ([{ name }, rates]) => `${name} ${Math.round(rates.perSecond)}/s, ${Math.round(totalMicros(rates))} µs`,
    )
    .join("; ");

const load = async (
  { side, url, pids, databasePids }: Contender,
  calls: readonly ReadCall[],
  { connections, seconds }: ReadsOptions,
): Promise<Rates> => {
  const bodies = calls.map((call) => call[side]);
  const before = [treeSeconds(pids), treeSeconds(databasePids)] as const;
  const startMs = performance.now();
  const counted = await rawLoad(url, bodies, connections, seconds);
  const elapsed = (performance.now() - startMs) / 1000;
  if (counted.requests === 0) throw new TooBusyError(`no answer from ${url.host}`);
  // The servers are loaded a little longer than the answers are counted.
  const micros = (spent: number): number => ((spent / elapsed) * counted.seconds * 1e6) / counted.requests;
  return {
    perSecond: counted.requests / counted.seconds,
    serverMicros: micros(treeSeconds(pids) - before[0]),
    databaseMicros: micros(treeSeconds(databasePids) - before[1]),
  };
};

type Compared = Pick<ReadsResult, "wrong" | "differences">;

const compareAnswers = async (calls: readonly ReadCall[], ours: URL, theirs: URL): Promise<Compared> => {
  const differences = new Map<string, { answers: number; example: Difference }>();
  let wrong = 0;
  for (const call of calls) {
    const found = differencesOf(await ask(ours, call.ours), await ask(theirs, call.theirs));
    if (found.some((difference) => reasonFor(difference) === null)) wrong += 1;
    const once = new Map(found.map((difference) => [keyOf(difference), difference]));
    for (const [key, example] of once) {
      const known = differences.get(key);
      if (known === undefined) differences.set(key, { answers: 1, example });
      else known.answers += 1;
    }
  }
  return { wrong, differences };
};

/** Known and unknown differences at one path are counted apart. */
const keyOf = (difference: Difference): string => `${difference.path}: ${reasonFor(difference) ?? "wrong"}`;

const ask = async (url: URL, body: string): Promise<string> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).text();
};
