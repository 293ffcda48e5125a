import { spawn } from "node:child_process";
import { attacksBench } from "./attacks/attacks.ts";
import type { Bench, Figure } from "./bench.ts";

/** A property test that `npm test` runs with few cases, and this bench with many. */
interface ChaosTest {
  readonly name: string;
  readonly file: string;
  readonly settings: { readonly [variable: string]: string };
}

export const chaosTests: readonly ChaosTest[] = [
  {
    name: "random HTTP requests, and requests that try to smuggle others",
    file: "packages/server/src/http/hostile-requests.test.ts",
    settings: { LAMPLIGHT_FUZZ_REQUESTS: "30000" },
  },
  {
    name: "search index against a naive model",
    file: "packages/search/src/indexed-search.test.ts",
    settings: { LAMPLIGHT_SEARCH_RUNS: "5000" },
  },
  {
    name: "search index over SQLite against a naive model",
    file: "packages/indexer/src/search/search-agreement.test.ts",
    settings: { LAMPLIGHT_SEARCH_RUNS: "2000" },
  },
  {
    name: "SQL search against a naive model",
    file: "packages/store-sqlite/src/conformance.test.ts",
    settings: { LAMPLIGHT_SEARCH_RUNS: "2000" },
  },
  {
    name: "Yellowstone messages in every way they may be written, and changed",
    file: "packages/sources/src/yellowstone/decode-fuzz.test.ts",
    settings: { LAMPLIGHT_DECODE_RUNS: "30000" },
  },
  {
    name: "forks, replaced banks, lost streams and restarts against a naive model",
    file: "packages/indexer/src/follow/fork.chaos.test.ts",
    settings: { LAMPLIGHT_FORK_SEEDS: "10000" },
  },
  {
    name: "updates that come after the end of their slot",
    file: "packages/indexer/src/follow/late-updates.test.ts",
    settings: { LAMPLIGHT_LATE_SEEDS: "300" },
  },
  {
    name: "a store of one program, through a stream that tells what it asks for",
    file: "packages/runtime/src/follow/followed-accounts.test.ts",
    settings: { LAMPLIGHT_FORK_SEEDS: "200" },
  },
  {
    name: "slots lost by a stream, read from blocks",
    file: "packages/indexer/src/follow/lost-slots.test.ts",
    settings: { LAMPLIGHT_LOST_SEEDS: "300" },
  },
  {
    name: "an RPC node that loses, delays and garbles, through its sockets",
    file: "packages/indexer/src/follow/rpc.chaos.test.ts",
    settings: { LAMPLIGHT_FORK_SEEDS: "500" },
  },
  {
    name: "a follower of an RPC node killed again and again",
    file: "packages/cli/src/commands/follow-rpc-killed.test.ts",
    settings: { LAMPLIGHT_KILL_SEEDS: "50", LAMPLIGHT_KILLS: "2" },
  },
  {
    name: "a follower killed again and again",
    file: "packages/cli/src/commands/kill.chaos.test.ts",
    settings: { LAMPLIGHT_KILL_SEEDS: "50", LAMPLIGHT_KILLS: "2" },
  },
  {
    name: "nodes next to a writer against a naive model",
    file: "tools/conformance/src/shared-nodes.pg.test.ts",
    settings: { LAMPLIGHT_SHARED_SEEDS: "300" },
  },
  {
    name: "workers next to a writer whose source replaces banks",
    file: "packages/runtime/src/views/replaced-banks.test.ts",
    settings: { LAMPLIGHT_BANKS_SEEDS: "300" },
  },
  {
    name: "nodes next to a writer whose source replaces banks",
    file: "tools/conformance/src/replaced-banks.pg.test.ts",
    settings: { LAMPLIGHT_BANKS_SEEDS: "300" },
  },
  {
    name: "writers that take slots over from one another",
    file: "tools/conformance/src/taken-over-slots.pg.test.ts",
    settings: { LAMPLIGHT_TAKEN_SEEDS: "300" },
  },
  {
    name: "a store of three databases without a common commit or snapshot",
    file: "packages/store-shards/src/shards.chaos.pg.test.ts",
    settings: { LAMPLIGHT_SHARDS_ANSWERS: "100000" },
  },
  {
    name: "writers, nodes and the database killed under load",
    file: "packages/cli/src/commands/kill.pg.chaos.test.ts",
    settings: { LAMPLIGHT_KILL_SEEDS: "6", LAMPLIGHT_KILLS: "10" },
  },
  {
    name: "writers killed while another stands by",
    file: "packages/cli/src/commands/follow-standby.pg.test.ts",
    settings: { LAMPLIGHT_KILLS: "30" },
  },
  {
    name: "copies between a file and PostgreSQL killed",
    file: "packages/cli/src/commands/copy.pg.test.ts",
    settings: { LAMPLIGHT_KILLS: "30" },
  },
  {
    name: "loads of a ledger snapshot killed",
    file: "packages/cli/src/commands/load-snapshot.test.ts",
    settings: { LAMPLIGHT_KILL_RUNS: "50" },
  },
  {
    name: "loads of a ledger snapshot into PostgreSQL killed",
    file: "packages/cli/src/commands/load-snapshot.pg.test.ts",
    settings: { LAMPLIGHT_KILLS: "50" },
  },
  {
    name: "single bits of a loaded store turned, and looked for",
    file: "packages/cli/src/commands/verify-flips.test.ts",
    settings: { LAMPLIGHT_FLIPS: "2000" },
  },
  {
    name: "proofs of leaves given back to the real programs, where LAMPLIGHT_PROGRAMS has them",
    file: "tools/real-chain/src/proofs/proofs.test.ts",
    settings: { LAMPLIGHT_PROOF_STEPS: "5000" },
  },
  {
    name: "orders and repetitions of every recorded case",
    file: "packages/indexer/src/order-independence.test.ts",
    settings: { LAMPLIGHT_ORDERS: "40" },
  },
];

const root = new URL("../../..", import.meta.url).pathname;
/** A chaos test may take an hour: the deadlines of the tests themselves do not apply. */
const CHAOS_MS_MAX = 3_600_000;

/** Checks correctness, not speed. It runs only when it is named. A failing seed is in the output. */
export const chaosBench: Bench = {
  name: "chaos",
  about: "the seeded property tests at their full number, and the attacks",
  async run(say): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    const seed = String(process.env["LAMPLIGHT_PROPERTY_SEED"] ?? Date.now() % 2 ** 31);
    say(`LAMPLIGHT_PROPERTY_SEED=${seed}`);
    for (const test of chaosTests) {
      say(`${test.name}: ${JSON.stringify(test.settings)}`);
      const startMs = Date.now();
      const failed = await runTests(test, seed);
      figures.push(
        { name: `${test.name}: failures`, value: failed ? 1 : 0, unit: "", budget: { atMost: 0 } },
        { name: `${test.name}: took`, value: (Date.now() - startMs) / 1000, unit: "s" },
      );
    }
    return [...figures, ...(await attacksBench.run(say))];
  },
};

const runTests = ({ file, settings }: ChaosTest, seed: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("npx", ["vitest", "run", file, `--testTimeout=${CHAOS_MS_MAX}`], {
      cwd: root,
      env: { ...process.env, LAMPLIGHT_SEED: seed, LAMPLIGHT_PROPERTY_SEED: seed, ...settings },
      stdio: "inherit",
    });
    child.once("exit", (code) => resolve(code !== 0));
  });
