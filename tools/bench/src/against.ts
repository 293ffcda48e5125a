// `npm run bench -- --against PATH NAME…`: the servers of two checkouts on the same work, in alternating rounds.
import type { Bench, Figure } from "./bench.ts";
import { type Load, type Loaded, load, totalMicros } from "./harness/load.ts";
import { inRounds, ratioFigure, ratiosOf } from "./harness/rounds.ts";
import { pinLoad, type ServeOptions, type ServerProcess, serveStore, thisCheckout } from "./harness/serve.ts";
import { median } from "./bench.ts";
import type { Against, ServedWork } from "./served-work.ts";

const WARM_UP_SECONDS = 8;
const ROUND_SECONDS = 1;

/** @throws TypeError for a bench without work that two builds can do */
export const runAgainst = async (
  bench: Bench,
  against: Against,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  if (bench.against !== undefined) return bench.against(against, say);
  if (bench.served === undefined) throw new TypeError(`${bench.name} compares no builds`);
  const figures: Figure[] = [];
  for (const served of await bench.served(say))
    try {
      figures.push(...(await compareBuilds(served, against, say)));
    } finally {
      await served.close?.();
    }
  return figures;
};

/** Starts the server of this checkout and of the other one, and ends both when `use` is done. */
export const withBoth = async <Result>(
  store: string,
  { checkout }: Against,
  options: ServeOptions,
  use: (servers: readonly ServerProcess[]) => Promise<Result>,
): Promise<Result> => {
  const servers: ServerProcess[] = [];
  try {
    for (const one of [thisCheckout, checkout])
      servers.push(await serveStore(store, { ...options, checkout: one }));
    return await use(servers);
  } finally {
    for (const server of servers) server.stop();
  }
};

const compareBuilds = async (
  { store, work, connections, options = { isPinned: true }, databaseSeconds }: ServedWork,
  against: Against,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const unpin = options.isPinned === true ? pinLoad() : (): void => undefined;
  try {
    return await withBoth(store, against, options, async (servers) => {
      const figures: Figure[] = [];
      const loaded = servers.map((server): Loaded =>
        databaseSeconds === undefined ? server : { ...server, databaseSeconds },
      );
      for (const [name, bodies] of work) {
        for (const server of loaded) await load(server, bodies, { connections, seconds: WARM_UP_SECONDS });
        const loads = await inRounds(
          against.rounds,
          loaded,
          (server) => load(server, bodies, { connections, seconds: ROUND_SECONDS }),
          (round, index) => say(`${name}, round ${index + 1} of ${against.rounds}: ${roundText(round)}`),
        );
        figures.push(...figuresOf(name, loads[0]!, loads[1]!));
      }
      return figures;
    });
  } finally {
    unpin();
  }
};

const roundText = (loads: readonly Load[]): string =>
  loads
    .map((one, index) => `${index === 0 ? "this" : "other"} ${Math.round(totalMicros(one))} µs`)
    .join(", ");

const figuresOf = (name: string, ours: readonly Load[], theirs: readonly Load[]): readonly Figure[] => [
  {
    name: `${name}: this build, processor time`,
    value: median(ours.map(totalMicros)),
    unit: "µs/request",
  },
  {
    name: `${name}: the other build, processor time`,
    value: median(theirs.map(totalMicros)),
    unit: "µs/request",
  },
  ratioFigure(`${name}: processor time, this / other`, ratiosOf(ours, theirs, totalMicros)),
  ratioFigure(
    `${name}: requests a second, this / other`,
    ratiosOf(ours, theirs, ({ perSecond }) => perSecond),
  ),
];
