import { encodeAddress } from "@lamplight/codecs";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresStore } from "@lamplight/store-postgres";
import { type Bench, type Figure, median } from "../bench.ts";
import { ADDRESSES, callText } from "../harness/calls.ts";
import { type Load, type Loaded, load, totalMicros } from "../harness/load.ts";
import { fineSeconds } from "../harness/process-seconds.ts";
import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { serveScript, type ServerProcess, serveStore } from "../harness/serve.ts";
import { fillMembers, fillSample, sampleAddress, sampleAssetId, sampleMemberId } from "../postgres/sample.ts";

/** As many as there are sessions: more would only wait, and be refused on a busy machine. */
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 8;
const ROUNDS = 9;
const ROUND_SECONDS = 2;
/** Server and database together, of what the same read takes without us. Both servers read HTTP with node:http. */
const PROCESSOR_TIME_OVER_BARE_MAX = 1.75;

const MEMBER_OVER_PLAIN_MAX = 1.15;
const BATCH_CALLS = 100;
const BATCHED_OVER_SINGLE_MAX = 0.15;

const addresses = Array.from({ length: ADDRESSES }, (_, index) => index);
const reads: readonly { readonly name: string; readonly bodies: readonly string[] }[] = [
  {
    name: "getAccountInfo",
    bodies: addresses.map((index) =>
      callText("getAccountInfo", [encodeAddress(sampleAddress(index)), { encoding: "base64" }]),
    ),
  },
  {
    name: "getAccountInfo, missing",
    bodies: addresses.map((index) => callText("getAccountInfo", [encodeAddress(sampleAssetId(index))])),
  },
  {
    name: "getAsset",
    bodies: addresses.map((index) => callText("getAsset", [encodeAddress(sampleAssetId(index))])),
  },
];

const assetCall = (index: number): string => callText("getAsset", [encodeAddress(sampleAssetId(index))]);
const memberCall = (index: number): string => callText("getAsset", [encodeAddress(sampleMemberId(index))]);
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

/** Names of each server's sessions in the database. */
const OUR_SESSIONS = "lamplight reader";
const BARE_SESSIONS = "bare";

/** Point reads over PostgreSQL, next to a bare server that makes the same read with one prepared statement. */
export const pointsBench: Bench = {
  name: "points",
  about:
    "processor time of one read over HTTP and PostgreSQL, server and database, next to a bare node:http server",
  async run(say): Promise<readonly Figure[]> {
    const postgres = await startPostgres();
    const servers: ServerProcess[] = [];
    try {
      await fill(postgres, say);
      servers.push(await serveStore(postgres.url, { isPinned: true }));
      servers.push(await serveScript(new URL("bare-points-server.ts", import.meta.url), [postgres.url]));
      const [ours, bare] = [OUR_SESSIONS, BARE_SESSIONS].map((sessions, index): Loaded => ({
        ...servers[index]!,
        databaseSeconds: () => sessionSeconds(postgres, sessions),
      }));
      const figures: Figure[] = [];
      for (const { name, bodies } of reads) figures.push(...(await compare(ours!, bare!, name, bodies, say)));
      for (const read of nextToPlain) figures.push(...(await compareWithPlain(ours!, read, say)));
      return figures;
    } finally {
      for (const server of servers) server.stop();
      await postgres.stop();
    }
  },
  async served(say) {
    const postgres = await startPostgres();
    await fill(postgres, say);
    return [
      {
        store: postgres.url,
        work: new Map([...reads, ...nextToPlain].map(({ name, bodies }) => [name, bodies])),
        connections: CONNECTIONS,
        // Only one of the two builds is loaded at a time.
        databaseSeconds: () => sessionSeconds(postgres, OUR_SESSIONS),
        close: () => postgres.stop(),
      },
    ];
  },
};

const fill = async (postgres: TestPostgres, say: (line: string) => void): Promise<void> => {
  say("filling the sample");
  const store = await openPostgresStore({ url: postgres.url, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  await fillSample(store);
  await fillMembers(store);
  await store.close();
  const client = await postgres.connect();
  await client.query("VACUUM ANALYZE");
  await client.end();
};

const warmUp = { connections: CONNECTIONS, seconds: WARM_UP_SECONDS };
const round = { connections: CONNECTIONS, seconds: ROUND_SECONDS };

const compare = async (
  ours: Loaded,
  bare: Loaded,
  label: string,
  bodies: readonly string[],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  for (const server of [ours, bare]) await load(server, bodies, warmUp);
  const loads = await inRounds(ROUNDS, [ours, bare], (server) => load(server, bodies, round));
  const ratio = median(ratiosOf(loads[0]!, loads[1]!, totalMicros));
  say(`${label}: ${ratio.toFixed(2)} of the bare server's time`);
  return [
    ...["ours", "bare"].flatMap((name, index) => timeFigures(`${label}: ${name}`, loads[index]!, 1)),
    {
      name: `${label}: ours / bare`,
      value: ratio,
      unit: "×",
      budget: { atMost: PROCESSOR_TIME_OVER_BARE_MAX },
    },
  ];
};

const timeFigures = (name: string, loads: readonly Load[], calls: number): readonly Figure[] =>
  (["server", "database"] as const).map((part) => ({
    name: `${name}, ${part}`,
    value: median(loads.map((one) => one[`${part}Micros`])) / calls,
    unit: calls === 1 ? "µs/request" : "µs/call",
  }));

const compareWithPlain = async (
  ours: Loaded,
  { name, bodies, calls, atMost }: (typeof nextToPlain)[number],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const kinds = [bodies, addresses.map(assetCall)];
  for (const warmed of kinds) await load(ours, warmed, warmUp);
  const [theseLoads, plainLoads] = await inRounds(ROUNDS, kinds, (sent) => load(ours, sent, round));
  const ratio = median(ratiosOf(theseLoads!, plainLoads!, totalMicros)) / calls;
  say(`${name}: ${ratio.toFixed(2)} of the time for a plain asset`);
  return [
    ...timeFigures(`${name}: ours`, theseLoads!, calls),
    { name: `${name} / plain asset`, value: ratio, unit: "×", budget: { atMost } },
  ];
};

/** Processor time of the sessions that have a name. */
const sessionSeconds = async (postgres: TestPostgres, name: string): Promise<number> => {
  const client = await postgres.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1",
      [name],
    );
    return fineSeconds(rows.map(({ pid }) => pid));
  } finally {
    await client.end();
  }
};
