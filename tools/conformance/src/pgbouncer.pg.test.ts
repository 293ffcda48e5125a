// A real PgBouncer in front of the server: in transaction mode, any of its sessions may run the next transaction.

import { commitments, emptyChangeSet } from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import { ChainFollower, createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import {
  describePgBouncer,
  startPgBouncer,
  startPostgres,
  type TestPooler,
  type TestPostgres,
} from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerOver, ChainModel } from "../../../packages/indexer/test/chain-model.ts";
import { randomCall } from "../../../packages/indexer/test/random-call.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
/** Views of the reader; one more of its sessions polls for unfinalized slots. */
const VIEWS = 4;
/** Connections of others, which take sessions between the reader's transactions. */
const OTHERS = 3;
const POOL_SIZE = VIEWS + OTHERS + 1;
const STEPS = 8;
const CALLS_AT_ONCE = 10;
const WAIT_MS = 120_000;

describePgBouncer("behind PgBouncer", () => {
  let server: TestPostgres;
  let pooler: TestPooler;
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgBouncer(server, "transaction", POOL_SIZE);
  });
  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
  });

  test(`in transaction mode, a node answers right (LAMPLIGHT_SEED=${seed})`, async () => {
    const random = new Random(seed, 33, 0);
    const simulation = new ChainSimulation({ seed });
    const model = new ChainModel(simulation);
    const store = await openPostgresStore({ url: server.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await createIndexer(store).applyAccounts(simulation.genesis.accounts, simulation.genesis);
    const near = await openPostgresReader({ url: server.url });
    const overlay = await ForkOverlay.open({
      store,
      viewSource: near,
      shared: store,
      closeFromTransactions: false,
    });
    const follower = new ChainFollower({ overlay });
    const far = await openPostgresReader({
      url: pooler.urlOf(server.url),
      sessionsMax: VIEWS,
      viewWaitMs: WAIT_MS,
    });
    const others = await Promise.all(Array.from({ length: OTHERS }, () => pooler.connect()));
    const run = { isOver: false };
    const mixing = Promise.all(
      others.map(async (other) => {
        while (!run.isOver) await other.query("SELECT 1");
      }),
    );
    const node = new SharedOverlay({ unfinalized: far, viewSource: far });
    node.start();
    const ask = async (): Promise<void> => {
      const call = randomCall(random, simulation);
      const assetCommitment = commitments[random.below(commitments.length)]!;
      let slot: number = simulation.genesis.slot;
      const watched = {
        openView: async (...given: Parameters<typeof node.openView>) => {
          const view = await node.openView(...given);
          slot = view.slot;
          return view;
        },
      };
      const real = await answerOver(watched, call, { assetCommitment });
      const at = await model.at(slot);
      const wanted = await answerOver({ openView: () => at.openView() }, call, { assetCommitment });
      expect(`${JSON.stringify(call)} at ${slot}: ${real}`).toBe(
        `${JSON.stringify(call)} at ${slot}: ${wanted}`,
      );
    };
    for (let step = 0; step < STEPS; step += 1) {
      for (const event of simulation.next()) await follower.take(event);
      await Promise.all(Array.from({ length: CALLS_AT_ONCE }, ask));
    }
    run.isOver = true;
    await mixing;
    await node.stop();
    far.close();
    near.close();
    await store.close();

    // Nothing of ours stays in sessions that other clients of the pooler use.
    for (let count = OTHERS; count < POOL_SIZE; count += 1) others.push(await pooler.connect());
    for (const other of others) await other.query("BEGIN");
    for (const other of others) {
      const { rows } = await other.query(
        `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
current_setting('default_transaction_read_only') AS readonly, (SELECT count(*) FROM pg_prepared_statements) AS prepared`,
      );
      expect(rows).toEqual([{ path: '"$user", public', timeout: "0", readonly: "off", prepared: "0" }]);
    }
    for (const other of others) await other.end();
  });

  test("in transaction mode, a writer is refused, and the error names the setting", async () => {
    const url = pooler.urlOf(`${server.url}?schema=refused`);
    await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject({
      code: "STORE__POOLED",
      message: expect.stringContaining("pool_mode = session") as string,
    });
    const client = await server.connect();
    const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'refused'");
    await client.end();
    expect(rows).toEqual([]);
  });

  test("in transaction mode with one session, a writer is refused", async () => {
    const sessions = await startPgBouncer(server, "transaction", 1);
    const url = sessions.urlOf(`${server.url}?schema=refused`);
    await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject({ code: "STORE__POOLED" });
    await sessions.stop();
  });

  test("in session mode with one session, a writer writes", async () => {
    const sessions = await startPgBouncer(server, "session", 1);
    const url = sessions.urlOf(`${server.url}?schema=alone`);
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit({ ...emptyChangeSet, watermark: { slot: 7, blockhash: null } });
    await store.close();
    await sessions.stop();
  });

  test("in session mode, a writer writes and a reader reads", async () => {
    const sessions = await startPgBouncer(server, "session", POOL_SIZE);
    const url = sessions.urlOf(`${server.url}?schema=sessions`);
    const store = await openPostgresStore({ url, mode: "write" });
    await store.commit({ ...emptyChangeSet, watermark: { slot: 7, blockhash: null } });
    const reader = await openPostgresReader({ url });
    const view = await reader.openView("finalized");
    expect(view.slot).toBe(7);
    view.close();
    reader.close();
    await store.close();
    await sessions.stop();
  });
});
