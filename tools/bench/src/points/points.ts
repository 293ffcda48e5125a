import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { startServer } from "@lamplight/server";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { type Bench, type Figure, median, TooBusyError } from "../bench.ts";
import { ADDRESSES, callText } from "../harness/calls.ts";
import { askForAll, type Load, type Loaded, load, totalMicros } from "../harness/load.ts";

import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { serveScript, type ServerProcess, serveStore } from "../harness/serve.ts";
import { sessionSeconds } from "../harness/session-seconds.ts";
import { countStatements } from "./count-statements.ts";
import {
  fillMembers,
  fillPrints,
  fillSample,
  sampleAddress,
  sampleAssetId,
  sampleMasterMint,
  sampleMemberId,
} from "../postgres/sample.ts";

/** As many as there are sessions: more would only wait, and be refused on a busy machine. */
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 8;
const ROUNDS = 9;
const ROUND_SECONDS = 2;
/** Server and database together, of what the same read takes without us. Both servers read HTTP with node:http. */
const PROCESSOR_TIME_OVER_BARE_MAX = 1.75;

const MEMBER_OVER_PLAIN_MAX = 1.15;
const PRINTS_OVER_PLAIN_MAX = 3;
const BATCH_CALLS = 100;
const BATCHED_OVER_SINGLE_MAX = 0.15;
const BATCH_STATEMENTS_MAX = 12;
/** The first batches also read what a server then caches. */
const BATCHES_BEFORE = 3;
/** The end of a transaction is sent behind the answer. */
const LAST_STATEMENT_MS = 200;

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
    name: "getNftEditions, twelve prints",
    bodies: addresses.map((index) => callText("getNftEditions", [encodeAddress(sampleMasterMint(index))])),
    calls: 1,
    atMost: PRINTS_OVER_PLAIN_MAX,
  },
  {
    name: `a batch of ${BATCH_CALLS} getAsset`,
    bodies: [batch],
    calls: BATCH_CALLS,
    atMost: BATCHED_OVER_SINGLE_MAX,
  },
];

/** Names of each server's sessions in the database. */
const ourSessions = "lamplight reader";
const bareSessions = "bare";

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
      const [ours, bare] = [ourSessions, bareSessions].map((sessions, index): Loaded => ({
        ...servers[index]!,
        databaseSeconds: () => sessionSeconds(postgres, sessions),
      }));
      const figures: Figure[] = [];
      for (const { name, bodies } of reads) figures.push(...(await compare(ours!, bare!, name, bodies, say)));
      for (const read of nextToPlain) figures.push(...(await compareWithPlain(ours!, read, say)));
      return [...figures, await statementsOfBatch(postgres)];
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
        databaseSeconds: () => sessionSeconds(postgres, ourSessions),
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
  await fillPrints(store);
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
  { name: requests, bodies, calls, atMost }: (typeof nextToPlain)[number],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const name = calls === 1 ? requests : `${requests}, for each call`;
  const kinds = [bodies, addresses.map(assetCall)];
  for (const warmed of kinds) await load(ours, warmed, warmUp);
  const [theseLoads, plainLoads] = await inRounds(ROUNDS, kinds, (sent) => load(ours, sent, round));
  const ratio = median(ratiosOf(theseLoads!, plainLoads!, totalMicros)) / calls;
  say(`${name}: ${ratio.toFixed(2)} of the time for a plain asset`);
  return [
    ...timeFigures(`${name}: ours`, theseLoads!, calls),
    ...timeFigures(`${name}: a plain asset in the same rounds`, plainLoads!, 1),
    { name: `${name} / plain asset`, value: ratio, unit: "×", budget: { atMost } },
  ];
};

/** The statements of one batch, by a server that sends none for anything else. */
const statementsOfBatch = async (postgres: TestPostgres): Promise<Figure> => {
  const way = await countStatements(postgres.url);
  const viewSource = await openPostgresReader({ url: way.url });
  const server = await startServer({ viewSource, keys: ["bench"], port: 0 });
  try {
    const url = new URL(`${server.url}/v3/bench`);
    for (let sent = 0; sent < BATCHES_BEFORE; sent++) await askForAll(url, [batch], 1);
    await sleep(LAST_STATEMENT_MS);
    const before = way.count();
    const refused = await askForAll(url, [batch], 1);
    if (refused > 0) throw new TooBusyError("a batch was refused");
    await sleep(LAST_STATEMENT_MS);
    return {
      name: `statements of a batch of ${BATCH_CALLS} getAsset`,
      value: way.count() - before,
      unit: "statements",
      budget: { atMost: BATCH_STATEMENTS_MAX },
    };
  } finally {
    await server.stop();
    viewSource.close();
    way.close();
  }
};
