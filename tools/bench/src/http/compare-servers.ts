import { type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { type LoadResult, loadServer, pinLoad, type ServerProcess, startServerProcess } from "./load.ts";

/** Long enough for the engine to have compiled what is hot in every server: what counts is a server that runs for days. */
const WARM_UP_SECONDS = 15;
/** Short and many: what else the machine does then meets all servers alike, or only a few rounds. */
const ROUNDS = 15;
const ROUND_SECONDS = 1;

const names = ["ours", "bare", "constant"] as const;
type ServerName = (typeof names)[number];

/** What is compared: a script and the store file it reads. `constant` is the floor of node:http itself. */
export interface Contest {
  /** Is before the names of the figures. */
  readonly label: string;
  readonly file: string;
  readonly scripts: { readonly [name in ServerName]: string };
  /** Sent in turn, the same to each server. */
  readonly bodies: readonly string[];
}

/** Rates of three servers on the same requests, taken in turn; the ratios are medians of the rounds' own ratios. */
export const compareServers = async (
  { label, file, scripts, bodies }: Contest,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  pinLoad();
  const servers = new Map<ServerName, ServerProcess>();
  try {
    for (const name of names) servers.set(name, await startServerProcess(scripts[name], [file]));
    for (const name of names) await loadServer(servers.get(name)!, bodies, WARM_UP_SECONDS);
    const results: { [name in ServerName]: LoadResult[] } = { ours: [], bare: [], constant: [] };
    for (let round = 0; round < ROUNDS; round++) {
      // Back and forth, so that a drift favours no one.
      for (const name of round % 2 === 0 ? names : names.toReversed())
        results[name].push(await loadServer(servers.get(name)!, bodies, ROUND_SECONDS));
      say(
        `${label}, round ${round + 1} of ${ROUNDS}: ${names.map((name) => roundText(name, results[name].at(-1)!)).join(", ")}`,
      );
    }
    return figuresOf(label, results);
  } finally {
    for (const server of servers.values()) server.stop();
  }
};

const roundText = (name: ServerName, { requestsPerSecond }: LoadResult): string =>
  `${name} ${Math.round(requestsPerSecond)}/s`;

const figuresOf = (label: string, results: { readonly [name in ServerName]: LoadResult[] }): Figure[] => [
  ...names.map((name) => ({
    name: `${label}: ${serverTexts[name]}`,
    value: median(results[name].map(({ requestsPerSecond }) => requestsPerSecond)),
    unit: "requests/s",
  })),
  ...names.flatMap((name) => cpuFigure(label, name, results[name])),
  {
    name: `${label}: ours / bare`,
    value: medianRatio(results.ours, results.bare),
    unit: "×",
    budget: budgets.requestRateOverBare,
  },
  { name: `${label}: ours / constant`, value: medianRatio(results.ours, results.constant), unit: "×" },
];

const serverTexts: { readonly [name in ServerName]: string } = {
  ours: "ours",
  bare: "bare node:http with the same read",
  constant: "constant reply",
};

const cpuFigure = (label: string, name: ServerName, results: readonly LoadResult[]): Figure[] => {
  const times = results.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest).filter((time) => time !== null);
  return times.length === 0
    ? []
    : [{ name: `${label}: ${name}, processor time`, value: median(times), unit: "µs/request" }];
};

const medianRatio = (ours: readonly LoadResult[], theirs: readonly LoadResult[]): number =>
  median(ours.map(({ requestsPerSecond }, round) => requestsPerSecond / theirs[round]!.requestsPerSecond));
