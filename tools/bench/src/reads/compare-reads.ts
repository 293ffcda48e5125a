import { setTimeout as sleep } from "node:timers/promises";
import { engineOf } from "@lamplight/runtime";
import { median } from "../bench.ts";
import { type Load, type Loaded, load, totalMicros } from "../harness/load.ts";
import { treeSeconds } from "../harness/process-seconds.ts";
import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { serveStore } from "../harness/serve.ts";
import { compareAnswers } from "./compare-answers.ts";
import { diffDas } from "./das/diff-das.ts";
import type { Compared } from "./differences.ts";
import type { ReadCall, ReadsOptions } from "./reads-options.ts";
import { postgresPid } from "./postgres-pid.ts";

/** Medians over the rounds. */
export interface Rates {
  readonly perSecond: number;
  /** Processor time of one request, in microseconds. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

/** The result of one kind of work on one store. */
export interface ReadsResult extends Compared {
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
}

/** A server under load, and which of the calls it is sent. */
interface Contender extends Loaded {
  readonly side: keyof ReadCall;
  readonly name: string;
  stop(): void;
}

const contenderOf = (
  side: keyof ReadCall,
  name: string,
  url: URL,
  pids: readonly number[],
  databasePids: readonly number[],
  stop: () => void,
): Contender => ({
  side,
  name,
  url,
  seconds: () => treeSeconds(pids),
  databaseSeconds: () => treeSeconds(databasePids),
  stop,
});

const WARM_UP_SECONDS = 2;
const REST_SECONDS = 3;

/** Compares the answers, then loads all servers in turn. */
export const runReads = async (
  options: ReadsOptions,
  say: (line: string) => void,
): Promise<readonly ReadsResult[]> => {
  const { name, url, pids, databasePids } = options.peer;
  const peer = contenderOf("theirs", name, new URL(url), pids, databasePids, () => undefined);
  const contenders: Contender[] = [];
  try {
    for (const store of options.stores) contenders.push(await serve(store, options));
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

const serve = async (store: string, { workers, isDas }: ReadsOptions): Promise<Contender> => {
  const { name, fileOf } = engineOf(store);
  const databasePids = fileOf(store) === null ? [await postgresPid(store)] : [];
  const flags = isDas ? ["--methods=das"] : [];
  const { url, pid, stop } = await serveStore(store, { workers, flags });
  if (isDas) url.pathname = url.pathname.replace("/v3/", "/das/");
  return contenderOf("ours", name, url, [pid], databasePids, stop);
};

const coresAtRest = async (peer: Contender): Promise<number> => {
  const spent = async (): Promise<number> => peer.seconds() + (await peer.databaseSeconds!());
  const [before, startMs] = [await spent(), performance.now()];
  await sleep(REST_SECONDS * 1000);
  return ((await spent()) - before) / ((performance.now() - startMs) / 1000);
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
    compared.set(store, await (options.isDas ? diffDas : compareAnswers)(calls, store.url, peer.url));
    say(`${work}, ${store.name}: ${calls.length} answers compared, ${compared.get(store)!.wrong} are wrong`);
  }
  const all = [...stores, peer];
  const loadFor = (one: Contender, seconds: number): Promise<Load> =>
    load(
      one,
      calls.map((call) => call[one.side]),
      { connections: options.connections, seconds },
    );
  for (const one of all) await loadFor(one, WARM_UP_SECONDS);
  const loads = await inRounds(
    options.rounds,
    all,
    (one) => loadFor(one, options.seconds),
    (round, index) => say(`${work}, round ${index + 1} of ${options.rounds}: ${roundText(all, round)}`),
  );
  const theirs = loads.at(-1)!;
  return stores.map((store, index) => {
    const ours = loads[index]!;
    return {
      work,
      store: store.name as ReadsResult["store"],
      ours: ratesOf(ours),
      theirs: ratesOf(theirs),
      ratio: median(ratiosOf(ours, theirs, ({ perSecond }) => perSecond)),
      processorRatio: median(ratiosOf(theirs, ours, totalMicros)),
      asked: calls.length,
      ...compared.get(store)!,
    };
  });
};

const ratesOf = (loads: readonly Load[]): Rates => ({
  perSecond: median(loads.map((one) => one.perSecond)),
  serverMicros: median(loads.map((one) => one.serverMicros)),
  databaseMicros: median(loads.map((one) => one.databaseMicros)),
});

const roundText = (contenders: readonly Contender[], loads: readonly Load[]): string =>
  loads
    .map(
      (one, index) =>
        `${contenders[index]!.name} ${Math.round(one.perSecond)}/s, ${Math.round(totalMicros(one))} µs`,
    )
    .join("; ");
