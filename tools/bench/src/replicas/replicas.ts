// A primary and two streaming replicas: reads of each, a replica that is frozen, and a replica that is promoted under load.
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { countsForAccounts, generateChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresStore } from "@lamplight/store-postgres";
import { type Bench, type Figure } from "../bench.ts";
import { type Load, load } from "../harness/load.ts";
import { sessionSeconds } from "../harness/session-seconds.ts";
import { type ServerProcess, serveStore } from "../harness/serve.ts";
import { KeptCallers, type Seen } from "./kept-callers.ts";
import { SlotWriter, UPDATES_PER_SLOT } from "./slot-writer.ts";

const SEED = 11;
const ACCOUNTS = 20_000;
const ASKED = 500;
const CONNECTIONS = 4;
const LOAD_SECONDS = Number(process.env["LAMPLIGHT_BENCH_SECONDS"] ?? 10);
const FROZEN_MS = Number(process.env["LAMPLIGHT_BENCH_FROZEN_MS"] ?? 60_000);
const POLL_MS = 20;
/** Before and after an event. */
const CALM_MS = 5000;

export const replicasBench: Bench = {
  name: "replicas",
  about: `reads of replicas next to a writer of ${UPDATES_PER_SLOT} updates a slot, a replica frozen for ${FROZEN_MS / 1000} s, and one promoted`,
  async run(say): Promise<readonly Figure[]> {
    const primary = await startPostgres();
    const started = [primary];
    const servers: ServerProcess[] = [];
    let writer: SlotWriter | null = null;
    let callers: KeptCallers | null = null;
    try {
      say(`filling ${ACCOUNTS} accounts`);
      const bodies = await fill(primary);
      const [one, two] = [await primary.startReplica(), await primary.startReplica()];
      started.unshift(one, two);
      const all = [one, two, primary];
      writer = await SlotWriter.open(urlOf(all), { seed: SEED, accounts: ACCOUNTS });
      say("reads of one replica, and of two");
      for (const replica of [one, two])
        servers.push(await serveStore(urlOf([primary, replica]), { withSearch: false }));
      const reads = await measureReads(servers, [one, two], bodies);
      for (const server of servers.splice(0)) server.stop();
      const node = await serveStore(urlOf(all), { withSearch: false });
      servers.push(node);
      callers = new KeptCallers(node.url, CONNECTIONS, bodies);
      say(`a replica frozen for ${FROZEN_MS / 1000} s`);
      const frozen = await freeze(callers, one);
      say("the primary crashes, and a replica is promoted");
      const promoted = await promote(callers, primary, two, writer);
      const busy = { name: "load average of the machine", value: loadavg()[0]!, unit: "" };
      return [...reads, ...frozen, ...promoted, busy];
    } finally {
      await callers?.stop();
      for (const server of servers) server.stop();
      await writer?.stop();
      for (const server of started) await server.stop();
    }
  },
};

const nameOf = ({ port }: TestPostgres): string => `127.0.0.1:${port}`;
const urlOf = (servers: readonly TestPostgres[]): string =>
  `postgres://postgres@${servers.map(nameOf).join(",")}/postgres?load_balance_hosts=disable`;

/** Fills the primary, and returns calls for its accounts. */
const fill = async ({ url }: TestPostgres): Promise<readonly string[]> => {
  const store = await openPostgresStore({ url, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  const options = { seed: SEED, counts: countsForAccounts(ACCOUNTS), derivedAddresses: "hash-once" } as const;
  const asked: string[] = [];
  for (const { slot, blockhash, accounts } of generateChain(options)) {
    await indexer.applyAccounts(accounts, { slot, blockhash });
    for (const { address } of accounts) if (asked.length < ASKED) asked.push(encodeAddress(address));
  }
  await store.close();
  return asked.map((address) =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "getAccountInfo",
      params: [address, { encoding: "base64" }],
    }),
  );
};

const measureReads = async (
  servers: readonly ServerProcess[],
  replicas: readonly TestPostgres[],
  bodies: readonly string[],
): Promise<readonly Figure[]> => {
  const asked = (places: readonly number[]): Promise<readonly Load[]> =>
    Promise.all(
      places.map((place) => {
        const { url, seconds } = servers[place]!;
        const databaseSeconds = () => sessionSeconds(replicas[place]!, "lamplight reader");
        const options = { connections: CONNECTIONS, seconds: LOAD_SECONDS };
        return load({ url, seconds, databaseSeconds }, bodies, options);
      }),
    );
  const stretches = [
    ["1 replica", await asked([0])],
    ["2 replicas", await asked([0, 1])],
  ] as const;
  return stretches.flatMap(([name, loads]): Figure[] => {
    const perSecond = loads.reduce((sum, one) => sum + one.perSecond, 0);
    const meanOf = (pick: (one: Load) => number): number =>
      loads.reduce((sum, one) => sum + pick(one) * one.perSecond, 0) / perSecond;
    return [
      { name: `${name}: reads`, value: perSecond, unit: "a second" },
      { name: `${name}: processor time of the node`, value: meanOf((one) => one.serverMicros), unit: "µs" },
      {
        name: `${name}: processor time of the replica`,
        value: meanOf((one) => one.databaseMicros),
        unit: "µs",
      },
    ];
  });
};

/** The node reads the first server of its list, which is frozen, and goes on with the next. */
const freeze = async (callers: KeptCallers, replica: TestPostgres): Promise<readonly Figure[]> => {
  await sleep(CALM_MS);
  const seen = callers.start();
  replica.freeze();
  try {
    await sleep(FROZEN_MS);
  } finally {
    replica.thaw();
  }
  await sleep(CALM_MS);
  return figuresOf("replica frozen", seen);
};

/** The time until the writer writes again is that of the promotion, which this bench starts at once. */
const promote = async (
  callers: KeptCallers,
  primary: TestPostgres,
  replica: TestPostgres,
  writer: SlotWriter,
): Promise<readonly Figure[]> => {
  const seen = callers.start();
  const startMs = performance.now();
  const secondsUntil = async (isReached: () => boolean): Promise<number> => {
    while (!isReached()) await sleep(POLL_MS);
    return (performance.now() - startMs) / 1000;
  };
  await primary.crash();
  const lastSlot = writer.slot;
  await replica.promote();
  const written = await secondsUntil(() => writer.slot > lastSlot);
  const read = await secondsUntil(() => seen.newestSlot > lastSlot);
  await sleep(CALM_MS);
  return [
    ...figuresOf("replica promoted", seen),
    { name: "replica promoted: until a new slot is written", value: written, unit: "s" },
    { name: "replica promoted: until a new slot is answered", value: read, unit: "s" },
  ];
};

const figuresOf = (name: string, { answers, refused, wentBack, longestGapMs }: Seen): readonly Figure[] => [
  { name: `${name}: answers`, value: answers, unit: "" },
  { name: `${name}: calls refused`, value: refused, unit: "" },
  { name: `${name}: slots that went back on a connection`, value: wentBack, unit: "", budget: { atMost: 0 } },
  { name: `${name}: longest time without an answer`, value: longestGapMs / 1000, unit: "s" },
];
