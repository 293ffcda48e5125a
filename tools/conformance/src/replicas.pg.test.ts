// Nodes over a primary and two streaming replicas. One replica freezes, one lags, the primary is lost and a replica is
// promoted, while calls go on: each answer is right for its slot, and no connection sees an older slot than before.

import { tmpdir } from "node:os";
import { setImmediate } from "node:timers/promises";
import { type Commitment, commitments } from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import { ChainFollower, createIndexer, ForkOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { serveViews } from "@lamplight/runtime/views";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerOver, ChainModel } from "../../../packages/indexer/test/chain-model.ts";
import { randomCall } from "../../../packages/indexer/test/random-call.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
/** Rounds of the chain in each phase. */
const STEPS = Number(process.env["LAMPLIGHT_REPLICA_STEPS"] ?? 4);
const FROZEN_MS = Number(process.env["LAMPLIGHT_FROZEN_MS"] ?? 6000);
/** Slots without an answer in which a replica may lag. */
const LAG_SLOTS = 40;
const WAIT_MS = 300_000;

type ServedViews = Awaited<ReturnType<typeof serveViews>>;

/** What callers may get while servers fail, with status 503. */
const unavailable = /the store cannot be reached|"reason":"busy"/u;

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

interface Server {
  readonly server: string;
  readonly state: string;
  readonly role: string | null;
}

const serversOf = (node: ServedViews): readonly Server[] =>
  (node.liveStatus?.().detail["servers"] ?? []) as readonly Server[];

const stateOf = (node: ServedViews, { port }: TestPostgres): string | undefined =>
  serversOf(node).find(({ server }) => server === `127.0.0.1:${port}`)?.state;

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: WAIT_MS, interval: 50 });

const sql = async (server: TestPostgres, text: string): Promise<void> => {
  const client = await server.connect();
  await client.query(text).finally(() => client.end());
};

const urlOf = (...servers: readonly TestPostgres[]): string =>
  `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}/postgres?load_balance_hosts=disable`;

describePostgres("nodes over two replicas", () => {
  let primary: TestPostgres;
  const replicas: TestPostgres[] = [];
  beforeAll(async () => {
    primary = await startPostgres();
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await primary?.stop();
  });

  test.skipIf(process.platform !== "linux")(
    `answer right, and never go back (LAMPLIGHT_SEED=${seed})`,
    async () => {
      const random = new Random(seed, 32, 0);
      const simulation = new ChainSimulation({ seed });
      const model = new ChainModel(simulation);
      const first = await openPostgresStore({ url: primary.url, mode: "write" });
      await first.writeCoverage({ kind: "whole" });
      await createIndexer(first).applyAccounts(simulation.genesis.accounts, simulation.genesis);
      await first.close();
      replicas.push(await primary.startReplica(), await primary.startReplica());
      const [one, two] = replicas as [TestPostgres, TestPostgres];
      const store = await openPostgresStore({ url: urlOf(primary, one, two), mode: "write" });
      const reader = await openPostgresReader({
        url: `${urlOf(primary, one, two)}&target_session_attrs=read-write`,
      });
      const overlay = await ForkOverlay.open({
        store,
        viewSource: reader,
        shared: store,
        closeFromTransactions: false,
      });
      const follower = new ChainFollower({ overlay });
      const step = async (): Promise<void> => {
        for (const event of simulation.next()) await follower.take(event);
      };
      const nodes = await Promise.all(
        [urlOf(primary, one, two), urlOf(two, primary, one)].map((url) =>
          serveViews(url, { views: { most: 4, workers: 1 }, searchCache: tmpdir(), log: quiet }),
        ),
      );
      for (const node of nodes) node.start();

      const run = { isOver: false, answers: 0, refusals: 0 };
      /** One connection: its calls come one after another. */
      const connection = async (node: ServedViews): Promise<void> => {
        const newest = new Map<Commitment, number>();
        while (!run.isOver) {
          const call = randomCall(random, simulation);
          const commitment = commitments[random.below(commitments.length)]!;
          const slots: number[] = [];
          const watched = {
            openView: async (asked: Commitment) => {
              const view = await node.viewSource.openView(asked);
              slots.push(view.slot);
              if (asked !== "processed") {
                expect(view.slot, `${asked} went back`).toBeGreaterThanOrEqual(newest.get(asked) ?? 0);
                newest.set(asked, view.slot);
              }
              return view;
            },
          };
          const real = await answerOver(watched, call, { assetCommitment: commitment });
          if (unavailable.test(real)) {
            run.refusals += 1;
            // A node may refuse without any input or output. Without this turn, the loops would keep it from ever recovering.
            await setImmediate();
            continue;
          }
          run.answers += 1;
          if (slots.length === 0) continue;
          const at = await model.at(slots.at(-1)!);
          const wanted = await answerOver({ openView: () => at.openView() }, call, {
            assetCommitment: commitment,
          });
          expect(`${JSON.stringify(call)} at ${slots.join()}: ${real}`).toBe(
            `${JSON.stringify(call)} at ${slots.join()}: ${wanted}`,
          );
        }
      };
      const connections = Promise.all(nodes.flatMap((node) => [connection(node), connection(node)]));
      connections.catch(() => {
        run.isOver = true;
      });
      const stepAll = async (): Promise<void> => {
        for (let count = 0; count < STEPS && !run.isOver; count += 1) await step();
      };
      const [left, right] = nodes as [ServedViews, ServedViews];

      await stepAll();
      await until(() => expect([stateOf(left, one), stateOf(right, two)]).toEqual(["read", "read"]));

      one.freeze();
      const thawAtMs = Date.now() + FROZEN_MS;
      await until(() => expect([stateOf(left, one), stateOf(left, two)]).toEqual(["unreachable", "read"]));
      do await step();
      while (Date.now() < thawAtMs && !run.isOver);
      one.thaw();
      await until(() => expect(stateOf(left, one)).toBe("ready"));

      await sql(two, "SELECT pg_wal_replay_pause()");
      const pausedAt = overlay.state.finalizedSlot;
      while (overlay.state.finalizedSlot <= pausedAt + LAG_SLOTS && !run.isOver) await step();
      await until(() =>
        expect(nodes.map((node) => [stateOf(node, one), stateOf(node, two)])).toEqual([
          ["read", "behind"],
          ["read", "behind"],
        ]),
      );
      await sql(two, "SELECT pg_wal_replay_resume()");
      await until(() => expect(stateOf(left, two)).toBe("ready"));

      // Both have all that was committed, so nothing is lost with the primary.
      const { finalizedSlot } = overlay.state;
      await until(() =>
        expect(left.liveStatus?.().detail).toMatchObject({ finalizedSlot, status: "shared" }),
      );
      await primary.crash();
      await two.promote();
      await vi.waitFor(() => store.readWatermark(), { timeout: WAIT_MS, interval: 100 });
      await stepAll();
      await until(() =>
        expect(serversOf(left).find(({ role }) => role === "primary")?.server).toBe(`127.0.0.1:${two.port}`),
      );
      await one.crash();
      await until(() =>
        expect(nodes.map((node) => [stateOf(node, one), stateOf(node, two)])).toEqual([
          ["unreachable", "read"],
          ["unreachable", "read"],
        ]),
      );
      await stepAll();
      const { confirmedSlot } = overlay.state;
      await until(() => expect(right.liveStatus?.().detail).toMatchObject({ confirmedSlot }));
      run.isOver = true;
      await connections;
      console.log(`${run.answers} answers, ${run.refusals} refused with 503`);
      expect(run.answers).toBeGreaterThan(run.refusals);
      for (const node of nodes) await node.stop();
      reader.close();
      await store.close();
    },
  );
});
