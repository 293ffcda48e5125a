import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** A request body for either side; usually the same. */
export interface ReadCall {
  readonly ours: string;
  readonly theirs: string;
}

export interface ReadsOptions {
  readonly peer: {
    readonly name: string;
    readonly url: string;
    readonly pids: readonly number[];
    /** Process ids of the database that answers for it. */
    readonly databasePids: readonly number[];
  };
  /** Each is served by a process of its own. */
  readonly stores: readonly string[];
  /** Threads of each of these processes. */
  readonly workers: number;
  /** Whether the calls are of the DAS methods. */
  readonly isDas: boolean;
  /** Calls by what they measure. */
  readonly work: ReadonlyMap<string, readonly ReadCall[]>;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export const readsUsage = `reads --url URL --pid PID… [--database-pid PID…] --store URL… --requests FILE [--methods das] [--only WORK…] [--name NAME] [--workers N] [--rounds N] [--seconds N] [--connections N]
reads export …  makes stores, tables and requests: reads export --help

  --url           the other server: an HTTP address that takes JSON-RPC
  --pid           its process; may be repeated
  --database-pid  its database: of PostgreSQL the process that started the others; may be repeated
  --store         sqlite:FILE or postgres://… with the same data; may be repeated. This program serves it. Of a
                  PostgreSQL on this machine, the processor time is found and counted
  --requests      JSON file: names of work, each with a list of calls {"method": …, "params": …}, or of pairs
                  {"ours": CALL, "theirs": CALL}
  --methods       das: the calls are of the DAS methods, and lamplight diff compares the answers
  --only          kinds of work whose name contains this; may be repeated
  --workers       that this program serves each store with (1)
  --name          of the other server, for the table (das_api)
  --rounds        each server is loaded so often, in turn (5)
  --seconds       of one load (4)
  --connections   open at a time (16)`;

const flags = {
  url: { type: "string" },
  pid: { type: "string", multiple: true, default: [] as string[] },
  "database-pid": { type: "string", multiple: true, default: [] as string[] },
  store: { type: "string", multiple: true, default: [] as string[] },
  requests: { type: "string" },
  methods: { type: "string" },
  only: { type: "string", multiple: true, default: [""] as string[] },
  name: { type: "string", default: "das_api" },
  workers: { type: "string", default: "1" },
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "4" },
  connections: { type: "string", default: "16" },
} as const;

/** @throws Error with what is missing */
export const parseReadsOptions = (args: readonly string[]): ReadsOptions => {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  const { url, name, requests } = values;
  if (url === undefined || requests === undefined || values.pid.length === 0 || values.store.length === 0)
    throw new Error("--url, --pid, --store and --requests are needed");
  if (values.methods !== undefined && values.methods !== "das") throw new Error("--methods must be das");
  return {
    peer: {
      name,
      url,
      pids: values.pid.map(Number),
      databasePids: values["database-pid"].map(Number),
    },
    stores: values.store,
    isDas: values.methods === "das",
    work: readWork(requests, values.only),
    workers: Number(values.workers),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
  };
};

const readWork = (file: string, only: readonly string[]): ReadonlyMap<string, readonly ReadCall[]> => {
  const work = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly object[]>>;
  return new Map(
    Object.entries(work)
      .filter(([name]) => only.some((part) => name.includes(part)))
      .map(([name, calls]) => [name, calls.map(readCall)]),
  );
};

const readCall = (call: object, index: number): ReadCall => {
  const body = (one: object): string => JSON.stringify({ jsonrpc: "2.0", id: index, ...one });
  return isPair(call)
    ? { ours: body(call.ours), theirs: body(call.theirs) }
    : { ours: body(call), theirs: body(call) };
};

const isPair = (call: object): call is { readonly ours: object; readonly theirs: object } =>
  "ours" in call && "theirs" in call;
