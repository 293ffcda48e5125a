import autocannon from "autocannon";
import { median, TooBusyError } from "../bench.ts";
import { cpuSecondsOf } from "../http/cpu-seconds.ts";
import type { DuelOptions, DuelServer } from "./duel-options.ts";

/** What one kind of work came to; medians over the rounds. */
export interface DuelResult {
  readonly work: string;
  /** Answers that differ in more than slot, version and order of members. */
  readonly differing: readonly { readonly body: string; readonly ours: string; readonly theirs: string }[];
  readonly asked: number;
  readonly perSecond: readonly [ours: number, theirs: number];
  /** Processor time of all named processes per request, in microseconds; null where no process is named. */
  readonly cpuMicros: readonly [ours: number | null, theirs: number | null];
}

const headers = { "content-type": "application/json", "solana-client": "duel" };

/** Compares the answers, then loads both servers in turn. */
export const runDuel = async (
  options: DuelOptions,
  say: (line: string) => void,
): Promise<readonly DuelResult[]> => {
  const results = [];
  for (const [work, bodies] of options.work) {
    const differing = await compareAnswers(bodies, options.servers);
    say(`${work}: ${bodies.length} answers compared, ${differing.length} differ`);
    const rounds: (readonly [Load, Load])[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const [ours, theirs] = options.servers;
      // Who comes first changes with each round.
      const first = await load(round % 2 === 0 ? ours : theirs, bodies, options);
      const second = await load(round % 2 === 0 ? theirs : ours, bodies, options);
      rounds.push(round % 2 === 0 ? [first, second] : [second, first]);
    }
    const middle = (side: 0 | 1, member: keyof Load): number =>
      median(rounds.map((round) => round[side][member]));
    const cpu = (side: 0 | 1): number | null =>
      options.servers[side].pids.length === 0 ? null : middle(side, "cpuMicros");
    results.push({
      work,
      differing,
      asked: bodies.length,
      perSecond: [middle(0, "perSecond"), middle(1, "perSecond")] as const,
      cpuMicros: [cpu(0), cpu(1)] as const,
    });
  }
  return results;
};

interface Load {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

const load = async (
  { name, url, pids }: DuelServer,
  bodies: readonly string[],
  { seconds, connections }: DuelOptions,
): Promise<Load> => {
  const before = cpuOf(pids);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ method: "POST", headers, body })),
  });
  if (result.non2xx > 0 || result.errors > 0 || result["2xx"] === 0)
    throw new TooBusyError(
      `${name}: ${result["2xx"]} answers, ${result.non2xx} refusals, ${result.errors} errors`,
    );
  return {
    perSecond: result["2xx"] / result.duration,
    cpuMicros: ((cpuOf(pids) - before) * 1e6) / result["2xx"],
  };
};

const cpuOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? Number.NaN), 0);

const compareAnswers = async (
  bodies: readonly string[],
  [ours, theirs]: DuelOptions["servers"],
): Promise<DuelResult["differing"]> => {
  const differing = [];
  for (const body of bodies) {
    const [our, their] = [await ask(ours.url, body), await ask(theirs.url, body)];
    if (our !== their) differing.push({ body, ours: our, theirs: their });
  }
  return differing;
};

const ask = async (url: string, body: string): Promise<string> => {
  const response = await fetch(url, { method: "POST", headers, body });
  return sortedText(await response.text());
};

/** Members in order of their names; without what says where and when an answer was made. */
const sortedText = (text: string): string => {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sort);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => name !== "context");
    return Object.fromEntries(
      entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sort(member)]),
    );
  };
  return JSON.stringify(sort(JSON.parse(text, exactNumber)));
};

/** The digits of a number as they were written: some do not fit a JavaScript number. */
const exactNumber = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? `#${context?.source ?? value}` : value;

/** For people. */
export const duelLines = (results: readonly DuelResult[]): readonly string[] =>
  results.flatMap(({ work, differing, asked, perSecond, cpuMicros }) => [
    ...differing
      .slice(0, 3)
      .flatMap(({ body, ours, theirs }) => [
        `differs: ${body.slice(0, 300)}`,
        `  ours   ${ours.slice(0, 300)}`,
        `  theirs ${theirs.slice(0, 300)}`,
      ]),
    [
      `${work}: ${rate(perSecond[0])} to ${rate(perSecond[1])} requests per second, ratio ${(perSecond[0] / perSecond[1]).toFixed(2)}`,
      `processor ${micros(cpuMicros[0])} to ${micros(cpuMicros[1])} a request`,
      `${differing.length} of ${asked} answers differ`,
    ].join("; "),
  ]);

const rate = (value: number): string => Math.round(value).toLocaleString("en");
const micros = (value: number | null): string => (value === null ? "not measured" : `${value.toFixed(0)} µs`);
