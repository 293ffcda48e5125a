// A node over a streaming replica of the database that the writer writes: behind by what has not arrived yet, and right
// for the slot it names.

import { commitments } from "@lamplight/core";
import { ChainSimulation, Random } from "@lamplight/devchain";
import { ChainFollower, createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { answerOver, ChainModel } from "../../../packages/indexer/test/chain-model.ts";
import { randomCall } from "../../../packages/indexer/test/random-call.ts";

const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);
const STEPS = 25;
const CALLS = 12;

describePostgres("a node over a replica", () => {
  let primary: TestPostgres;
  let replica: TestPostgres;
  beforeAll(async () => {
    primary = await startPostgres();
  });
  afterAll(async () => {
    await replica?.stop();
    await primary?.stop();
  });

  test(`answers every commitment from what has arrived (LAMPLIGHT_SEED=${seed})`, async () => {
    const random = new Random(seed, 510, 0);
    const simulation = new ChainSimulation({ seed, isChaotic: true });
    const model = new ChainModel(simulation);
    const store = await openPostgresStore({ url: primary.url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const { accounts, slot, blockhash } = simulation.genesis;
    await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
    replica = await primary.startReplica();
    const [near, far] = [
      await openPostgresReader({ url: primary.url }),
      await openPostgresReader({ url: replica.url }),
    ];
    const overlay = await ForkOverlay.open({
      store,
      viewSource: near,
      shared: store,
      closeFromTransactions: false,
    });
    const follower = new ChainFollower({ overlay });
    const node = new SharedOverlay({ unfinalized: far, viewSource: far });
    node.start();
    const seen = new Set<number>();
    for (let step = 0; step < STEPS; step += 1) {
      for (const event of simulation.next()) await follower.take(event);
      for (let count = 0; count < CALLS; count += 1) {
        const call = randomCall(random, simulation);
        const assetCommitment = commitments[random.below(commitments.length)]!;
        const slots = new Set<number>();
        const watched = {
          openView: async (commitment: (typeof commitments)[number]) => {
            const view = await node.openView(commitment);
            slots.add(view.slot);
            seen.add(view.slot);
            return view;
          },
        };
        const real = await answerOver(watched, call, { assetCommitment });
        const at = await model.at([...slots][0] ?? slot);
        const wanted = await answerOver({ openView: () => at.openView() }, call, { assetCommitment });
        expect(`${JSON.stringify(call)} at ${[...slots].join()}: ${real}`).toBe(
          `${JSON.stringify(call)} at ${[...slots].join()}: ${wanted}`,
        );
      }
    }
    const { finalizedSlot, confirmedSlot, processedSlot } = overlay.state;
    await vi.waitFor(
      () => expect(node.state).toMatchObject({ finalizedSlot, confirmedSlot, processedSlot }),
      300_000,
    );
    expect(seen.size).toBeGreaterThan(2);
    await node.stop();
    far.close();
    near.close();
    await store.close();
  });
});
