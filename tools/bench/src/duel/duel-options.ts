import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

export interface DuelServer {
  readonly name: string;
  readonly url: string;
  /** Of the server, and of the database that answers for it. */
  readonly pids: readonly number[];
}

export interface DuelOptions {
  readonly servers: readonly [ours: DuelServer, theirs: DuelServer];
  /** Request bodies by what they measure. */
  readonly work: ReadonlyMap<string, readonly string[]>;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export const duelUsage = `duel --ours URL --our-pid PID… --theirs URL --their-pid PID… --requests FILE [--rounds N] [--seconds N] [--connections N]

  --ours, --theirs        URLs that take JSON-RPC
  --our-pid, --their-pid  processes whose time is counted: server and database; may be repeated
  --requests              JSON file: names of work, each with an array of requests (objects)
  --rounds                each server is loaded so often, in turn (5)
  --seconds               of one load (5)
  --connections           open at a time (16)`;

const flags = {
  ours: { type: "string" },
  theirs: { type: "string" },
  "our-pid": { type: "string", multiple: true, default: [] as string[] },
  "their-pid": { type: "string", multiple: true, default: [] as string[] },
  requests: { type: "string" },
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "5" },
  connections: { type: "string", default: "16" },
} as const;

/** @throws Error with what is missing */
export const readDuelOptions = (args: readonly string[]): DuelOptions => {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { ours, theirs, requests } = values;
  if (ours === undefined || theirs === undefined || requests === undefined)
    throw new Error("--ours, --theirs and --requests are needed");
  return {
    servers: [
      { name: "ours", url: ours, pids: values["our-pid"].map(Number) },
      { name: "theirs", url: theirs, pids: values["their-pid"].map(Number) },
    ],
    work: readWork(requests),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
  };
};

const readWork = (file: string): ReadonlyMap<string, readonly string[]> => {
  const work = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly object[]>>;
  return new Map(
    Object.entries(work).map(([name, calls]) => [
      name,
      calls.map((call, index) => JSON.stringify({ jsonrpc: "2.0", id: index, ...call })),
    ]),
  );
};
