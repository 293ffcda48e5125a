import { readdirSync, readFileSync } from "node:fs";
import { encodeAddress } from "@lamplight/codecs";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresStore } from "@lamplight/store-postgres";
import { type Bench, type Figure, median } from "../bench.ts";
import { loadServer, type ServerProcess, startServerProcess } from "../http/load.ts";
import { fillMembers, fillSample, sampleAddress, sampleAssetId, sampleMemberId } from "../postgres/sample.ts";

/** As many as there are sessions: more would only wait, and be refused on a busy machine. */
const CONNECTIONS = 16;
const ADDRESSES = 256;
const WARM_UP_SECONDS = 8;
const ROUNDS = 9;
const ROUND_SECONDS = 2;
/** Server and database together, of what the same read takes without us. Both servers read HTTP with node:http. */
const PROCESSOR_TIME_OVER_BARE_MAX = 1.75;

const MEMBER_OVER_PLAIN_MAX = 1.15;
const BATCH_CALLS = 100;
const BATCHED_OVER_SINGLE_MAX = 0.15;

const call = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

const addresses = Array.from({ length: ADDRESSES }, (_, index) => index);
const reads: readonly { readonly name: string; readonly bodies: readonly string[] }[] = [
  {
    name: "getAccountInfo",
    bodies: addresses.map((index) =>
      call("getAccountInfo", [encodeAddress(sampleAddress(index)), { encoding: "base64" }]),
    ),
  },
  {
    name: "getAccountInfo, missing",
    bodies: addresses.map((index) => call("getAccountInfo", [encodeAddress(sampleAssetId(index))])),
  },
  {
    name: "getAsset",
    bodies: addresses.map((index) => call("getAsset", [encodeAddress(sampleAssetId(index))])),
  },
];

const assetCall = (index: number): string => call("getAsset", [encodeAddress(sampleAssetId(index))]);
const memberCall = (index: number): string => call("getAsset", [encodeAddress(sampleMemberId(index))]);
/** Half of the assets are members of a Core collection. */
const batch = `[${Array.from({ length: BATCH_CALLS }, (_, index) =>
  index % 2 === 0 ? assetCall(index) : memberCall(index),
).join(",")}]`;

/** Reads of ours next to `getAsset` of a plain asset, of ours too. */
const nextToPlain: readonly {
  readonly name: string;
  readonly bodies: readonly string[];
  /** Calls of one request. */
  readonly calls: number;
  readonly atMost: number;
}[] = [
  {
    name: "getAsset, a Core asset in a collection",
    bodies: addresses.map(memberCall),
    calls: 1,
    atMost: MEMBER_OVER_PLAIN_MAX,
  },
  {
    name: `a batch of ${BATCH_CALLS} getAsset, for each call`,
    bodies: [batch],
    calls: BATCH_CALLS,
    atMost: BATCHED_OVER_SINGLE_MAX,
  },
];

interface Contender {
  readonly name: "ours" | "bare";
  /** As the database names its sessions. */
  readonly sessions: string;
  readonly process: ServerProcess;
}

/** Point reads over PostgreSQL, next to a bare server that makes the same read with one prepared statement. */
export const pointsBench: Bench = {
  name: "points",
  about:
    "processor time of one read over HTTP and PostgreSQL, server and database, next to a bare node:http server",
  async run(say): Promise<readonly Figure[]> {
    const postgres = await startPostgres();
    const contenders: Contender[] = [];
    try {
      say("filling the sample");
      await fill(postgres);
      for (const [name, sessions, script] of [
        ["ours", "lamplight reader", "./points-server.ts"],
        ["bare", "bare", "./bare-points-server.ts"],
      ] as const) {
        const path = new URL(script, import.meta.url).pathname;
        contenders.push({ name, sessions, process: await startServerProcess(path, [postgres.url]) });
      }
      const figures: Figure[] = [];
      for (const { name, bodies } of reads)
        figures.push(...(await compare(postgres, contenders, name, bodies, say)));
      for (const read of nextToPlain)
        figures.push(...(await compareWithPlain(postgres, contenders[0]!, read, say)));
      return figures;
    } finally {
      for (const contender of contenders) contender.process.stop();
      await postgres.stop();
    }
  },
};

const fill = async (postgres: TestPostgres): Promise<void> => {
  const store = await openPostgresStore({ url: postgres.url, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await fillSample(store);
  await fillMembers(store);
  await store.close();
  const client = await postgres.connect();
  await client.query("VACUUM ANALYZE");
  await client.end();
};

const compare = async (
  postgres: TestPostgres,
  contenders: readonly Contender[],
  label: string,
  bodies: readonly string[],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  for (const { process } of contenders) await loadServer(process, bodies, WARM_UP_SECONDS, CONNECTIONS);
  const times = { ours: [] as Times[], bare: [] as Times[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed())
      times[contender.name].push(await measure(postgres, contender, bodies));
  const totalOf = ({ server, database }: Times): number => server + database;
  const ratio = median(times.ours.map((one, round) => totalOf(one) / totalOf(times.bare[round]!)));
  say(`${label}: ${ratio.toFixed(2)} of the bare server's time`);
  return [
    ...(["ours", "bare"] as const).flatMap((name) =>
      (["server", "database"] as const).map((part) => ({
        name: `${label}: ${name}, ${part}`,
        value: median(times[name].map((one) => one[part])),
        unit: "µs/request",
      })),
    ),
    {
      name: `${label}: ours / bare`,
      value: ratio,
      unit: "×",
      budget: { atMost: PROCESSOR_TIME_OVER_BARE_MAX },
    },
  ];
};

const compareWithPlain = async (
  postgres: TestPostgres,
  contender: Contender,
  { name, bodies, calls, atMost }: (typeof nextToPlain)[number],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const plain = addresses.map(assetCall);
  for (const warmed of [plain, bodies])
    await loadServer(contender.process, warmed, WARM_UP_SECONDS, CONNECTIONS);
  const ratios: number[] = [];
  const times: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await measure(postgres, contender, plain);
    const other = await measure(postgres, contender, bodies);
    times.push({ server: other.server / calls, database: other.database / calls });
    ratios.push((other.server + other.database) / calls / (one.server + one.database));
  }
  const ratio = median(ratios);
  say(`${name}: ${ratio.toFixed(2)} of the time for a plain asset`);
  return [
    ...(["server", "database"] as const).map((part) => ({
      name: `${name}: ours, ${part}`,
      value: median(times.map((one) => one[part])),
      unit: "µs/call",
    })),
    { name: `${name} / plain asset`, value: ratio, unit: "×", budget: { atMost } },
  ];
};

/** Microseconds of processor time per request. */
interface Times {
  readonly server: number;
  readonly database: number;
}

const measure = async (
  postgres: TestPostgres,
  { sessions, process }: Contender,
  bodies: readonly string[],
): Promise<Times> => {
  const pids = await backendsOf(postgres, sessions);
  const before = pids.map(processorSeconds);
  const { requestsPerSecond, cpuMicrosPerRequest } = await loadServer(
    process,
    bodies,
    ROUND_SECONDS,
    CONNECTIONS,
  );
  const used = pids.reduce((sum, pid, index) => sum + processorSeconds(pid) - before[index]!, 0);
  return {
    server: cpuMicrosPerRequest ?? Number.NaN,
    database: (used * 1e6) / (requestsPerSecond * ROUND_SECONDS),
  };
};

const backendsOf = async (postgres: TestPostgres, sessions: string): Promise<readonly number[]> => {
  const client = await postgres.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1",
      [sessions],
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
};

/** Finer than clock ticks: sixteen sessions use a few milliseconds each. NaN where the system does not report it. */
const processorSeconds = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, thread) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]) / 1e9,
      0,
    );
  } catch {
    return Number.NaN;
  }
};
