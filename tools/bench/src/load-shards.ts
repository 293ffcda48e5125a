import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { citusPlaces, startPostgres } from "@lamplight/postgres-test";
import { engineOf } from "@lamplight/runtime";
import { loadSnapshot, type LoadSnapshotSummary } from "@lamplight/runtime/snapshot";
import { type Bench, type Figure, median } from "./bench.ts";
import { sampleArchive } from "./load-archive.ts";

const ACCOUNTS = Number(process.env["LAMPLIGHT_BENCH_ACCOUNTS"] ?? 200_000);
const ROUNDS = Number(process.env["LAMPLIGHT_BENCH_ROUNDS"] ?? 5);
/** The coordinator of a Citus, which places the shards on its workers. */
const citus = process.env["LAMPLIGHT_CITUS_URL"];
const SHARDS = citus === undefined ? 3 : 2;
const RATIO_MIN = 0.5;
const several = citus === undefined ? `${SHARDS} databases` : `${SHARDS} shards that Citus places`;

interface Places {
  readonly plain: string;
  readonly shards: string;
  stop(): Promise<void>;
}

/** Without a Citus, both stores are on one server: the figure is what the shards cost, and not what more servers bring. */
export const loadShardsBench: Bench = {
  name: "load-shards",
  about: `a ledger snapshot of ${ACCOUNTS} accounts into ${several}, next to one database`,
  async run(say): Promise<readonly Figure[]> {
    const archive = await sampleArchive(ACCOUNTS, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-load-shards-"));
    const places = citus === undefined ? await startDatabases() : placesOfCitus(citus);
    try {
      const loads = { plain: [] as LoadSnapshotSummary[], shards: [] as LoadSnapshotSummary[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        const names = ["plain", "shards"] as const;
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          say(`round ${round + 1} of ${ROUNDS}: ${name}`);
          loads[name].push(await load(archive, places[name], folder));
        }
      }
      return figuresOf(loads.plain, loads.shards);
    } finally {
      await places.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const startDatabases = async (): Promise<Places> => {
  const server = await startPostgres();
  const session = await server.connect();
  const url = new URL(`shards${server.url.slice(server.url.indexOf(":"))}`);
  for (let place = 0; place < SHARDS; place += 1) {
    await session.query(`CREATE DATABASE shard_${place}`);
    const shard = new URL(server.url);
    shard.pathname = `/shard_${place}`;
    url.searchParams.append("shard", shard.href);
  }
  await session.end();
  return { plain: `${server.url}?schema=plain`, shards: url.href, stop: () => server.stop() };
};

const placesOfCitus = (server: string): Places => {
  const name = `bench_${process.pid}`;
  const plain = new URL(server);
  plain.searchParams.set("schema", `${name}_plain`);
  return {
    plain: plain.href,
    shards: citusPlaces(server, name, SHARDS).url,
    stop: async () => undefined,
  };
};

const silent = { update: () => {}, say: () => {}, end: () => {} };

/** Without the hash of every account: it would take most of the time of both. */
const load = async (archive: string, store: string, folder: string): Promise<LoadSnapshotSummary> => {
  const options = { full: archive, incremental: null, store, workFolder: folder, filter: null } as const;
  const summary = await loadSnapshot({ ...options, verify: "basic" }, silent);
  await engineOf(store).drop(store);
  return summary;
};

const figuresOf = (
  plain: readonly LoadSnapshotSummary[],
  shards: readonly LoadSnapshotSummary[],
): readonly Figure[] => {
  const medianOf = (pick: (summary: LoadSnapshotSummary) => number) =>
    [plain, shards].map((summaries) => median(summaries.map(pick))) as [number, number];
  const [one, all] = medianOf(({ seconds }) => seconds);
  const stages = ["read", "insert", "derive", "finish"] as const;
  return [
    { name: "accounts", value: plain[0]!.livingAccounts, unit: "" },
    { name: "assets among them", value: plain[0]!.assets, unit: "" },
    { name: "one database", value: one, unit: "s" },
    { name: several, value: all, unit: "s" },
    ...stages.map((stage): Figure => {
      const [before, after] = medianOf((summary) => summary.stages[stage]);
      return { name: `${stage}: speed to one database's`, value: before / after, unit: "×" };
    }),
    { name: "speed to one database's", value: one / all, unit: "×", budget: { atLeast: RATIO_MIN } },
    { name: "load average of the machine", value: loadavg()[0]!, unit: "" },
  ];
};
