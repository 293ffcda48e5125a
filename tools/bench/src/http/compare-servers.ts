import { type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { type Load, load } from "../harness/load.ts";
import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { pinLoad, serveScript, serveStore, type ServerProcess } from "../harness/serve.ts";

export const CONNECTIONS = 64;
/** Long enough for the engine to have compiled what is hot in every server: what counts is a server that runs for days. */
const WARM_UP_SECONDS = 15;
/** Short and many: what else the machine does then meets all servers alike, or only a few rounds. */
const ROUNDS = 15;
const ROUND_SECONDS = 1;

const names = ["ours", "bare", "constant"] as const;
const [ours, bare] = [0, 1] as const;

/** A comparison of servers on one SQLite store. */
export interface Contest {
  /** Is before the names of the figures. */
  readonly label: string;
  readonly file: string;
  /** The script of a server that makes the same read, and nothing more. */
  readonly bareServer: URL;
  /** Sent in turn, the same to each server. */
  readonly bodies: readonly string[];
}

/** Rates of this server, a bare one, and one with a constant reply, which is the floor of node:http itself. */
export const compareServers = async (
  { label, file, bareServer, bodies }: Contest,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const unpin = pinLoad();
  const servers: ServerProcess[] = [];
  try {
    servers.push(await serveStore(`sqlite:${file}`, { withSearch: false, isPinned: true }));
    servers.push(await serveScript(bareServer, [file]));
    servers.push(await serveScript(new URL("constant-server.ts", import.meta.url), []));
    for (const server of servers)
      await load(server, bodies, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    const loads = await inRounds(
      ROUNDS,
      servers,
      (server) => load(server, bodies, { connections: CONNECTIONS, seconds: ROUND_SECONDS }),
      (round, index) => say(`${label}, round ${index + 1} of ${ROUNDS}: ${roundText(round)}`),
    );
    return figuresOf(label, loads);
  } finally {
    for (const server of servers) server.stop();
    unpin();
  }
};

const roundText = (loads: readonly Load[]): string =>
  loads.map(({ perSecond }, index) => `${names[index]!} ${Math.round(perSecond)}/s`).join(", ");

const serverTexts = ["ours", "bare node:http with the same read", "constant reply"] as const;

const figuresOf = (label: string, loads: readonly (readonly Load[])[]): readonly Figure[] => {
  const overOurs = (index: number): number =>
    median(ratiosOf(loads[ours]!, loads[index]!, ({ perSecond }) => perSecond));
  return [
    ...loads.map((rounds, index) => ({
      name: `${label}: ${serverTexts[index]!}`,
      value: median(rounds.map(({ perSecond }) => perSecond)),
      unit: "requests/s",
    })),
    ...loads.map((rounds, index) => ({
      name: `${label}: ${names[index]!}, processor time`,
      value: median(rounds.map(({ serverMicros }) => serverMicros)),
      unit: "µs/request",
    })),
    {
      name: `${label}: ours / bare`,
      value: overOurs(bare),
      unit: "×",
      budget: budgets.requestRateOverBare,
    },
    { name: `${label}: ours / constant`, value: overOurs(2), unit: "×" },
  ];
};
