// Changes of the coverage of a followed store, for each engine: compared with a store that had that coverage from its load.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, type TestContext } from "vitest";
import { contentOf, CoveredChain, covering, faultsOf, programs } from "./covered-chain.ts";
import { expectSameStores } from "./expect-same-stores.ts";
import { writeSnapshot } from "./write-snapshot.ts";

/** The tests share one process. This is far above what they need: it only ends tests that hang. */
const TIMEOUT_MS = 1_800_000;

/**
 * The tests wait most of the time, for paces of the follower. So they run side by side.
 *
 * @param urlOf - the store of a name, each of which is used once
 */
export const describeCoverageChanges = (urlOf: (name: string) => string, seed: number): void => {
  const { token, tokenMetadata, mplCore } = programs;
  const all = [token, tokenMetadata, mplCore];
  let tests = 0;

  /** A chain of its own for a test, and stores that follow it. */
  const begin = async ({ onTestFinished }: TestContext) => {
    const number = (tests += 1);
    const ownUrl = (name: string): string => urlOf(`${name}_${seed}_${number}`);
    const chain = new CoveredChain(seed);
    await chain.start();
    onTestFinished(() => chain.stop());
    return { chain, store: ownUrl("followed"), wide: ownUrl("wide"), ownUrl };
  };

  describe.concurrent(`seed ${seed}`, { timeout: TIMEOUT_MS }, () => {
    test("programs are added while the chain moves, also over a restart", async (context) => {
      const { chain, store, wide } = await begin(context);
      await chain.load(store, covering([token]));
      await chain.load(wide, covering(all));
      await chain.follow(wide);
      await chain.follow(store);
      await chain.move(30);
      await chain.request(store, { add: [tokenMetadata] });
      await chain.moveUntil(() => chain.said.some((line) => line.includes("adding them to new slots")));
      await chain.move(5);
      await chain.stopFollowing(store);
      await chain.request(store, { add: [mplCore] });
      await chain.move(5);
      await chain.follow(store);
      await chain.moveUntil(() => chain.covers(store, all));
      await chain.move(20);
      await expectSameStores(chain, store, wide);
      expect(chain.said.filter((line) => line.startsWith("ended"))).toEqual([]);
    });

    test("a program is added from a ledger snapshot, also over a restart", async (context) => {
      const { chain, store, wide } = await begin(context);
      const folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-snapshot-"));
      context.onTestFinished(() => rmSync(folder, { recursive: true }));
      const [archives, foreign] = [join(folder, "archives"), join(folder, "foreign")];
      for (const each of [archives, foreign]) mkdirSync(each);
      const placeOf = (full: string) => ({ full, incremental: null, folder: join(folder, "work") });
      await chain.load(store, covering([token]));
      await chain.load(wide, covering([token, tokenMetadata]));
      await chain.follow(wide);
      await chain.follow(store, false);
      await chain.move(20);
      await chain.request(store, { add: [tokenMetadata] });
      const filling = async () => (await chain.coverage(store)).filling?.[0];
      await chain.moveUntil(async () => ((await filling())?.problem ?? null) !== null);
      await chain.stopFollowing(store);
      writeSnapshot(archives, chain.simulation);
      writeSnapshot(foreign, chain.simulation, tokenMetadata);
      // What is closed or written later is newer than the snapshot.
      await chain.move(20);
      await chain.follow(store, true, placeOf(foreign));
      await chain.moveUntil(async () => (await filling())?.problem?.includes("was expected") === true);
      expect(await filling()).toMatchObject({ accounts: 0, total: null });
      await chain.stopFollowing(store);
      await chain.follow(store, true, placeOf(archives));
      await chain.moveUntil(() => chain.said.some((line) => line.includes("adding them to new slots")));
      await chain.stopFollowing(store);
      await chain.follow(store, true, placeOf(archives));
      await chain.moveUntil(() => chain.covers(store, [token, tokenMetadata]));
      expect(existsSync(join(folder, "work"))).toBe(false);
      const stages = new Set(chain.progress.map((line) => (JSON.parse(line) as { stage: string }).stage));
      const ofProgram = ["read for", "compare for", "add"].map((word) => `${word} program ${tokenMetadata}`);
      expect([...stages]).toEqual(expect.arrayContaining(ofProgram));
      await chain.move(20);
      await expectSameStores(chain, store, wide);
    });

    test("an incomplete tree is completed from the node, also over a restart", async (context) => {
      const { chain, store, wide } = await begin(context);
      await chain.load(wide, covering(all));
      await chain.follow(wide);
      await chain.move(40);
      await chain.loadNow(store, covering(all));
      await chain.follow(store, false);
      await chain.moveUntil(async () => (await chain.incompleteTrees(store)).length > 0);
      const trees = await chain.incompleteTrees(store);
      await chain.request(store, { trees });
      await chain.moveUntil(() => chain.said.some((line) => line.includes("--repair-rpc")));
      expect(await chain.requested(store)).toEqual({ add: [], drop: [], trees });
      await chain.stopFollowing(store);
      await chain.move(10);
      const live = await chain.follow(store);
      await chain.moveUntil(async () => (await chain.requested(store)).trees === undefined);
      expect(live.samples()).toContainEqual(["filling_trees", "gauge", 0]);
      const read = live.samples().find(([name]) => name === "tree_transactions_total")!;
      expect(read[2]).toBeGreaterThan(0);
      expect(chain.said).toContainEqual(expect.stringMatching(/^tree \w+ is complete: \d+ transactions/u));
      expect(await chain.incompleteTrees(store)).toEqual([]);
      await chain.move(10);
      await expectSameStores(chain, store, wide);
    });

    test("a tree that is being read is given up", async (context) => {
      const { chain, store } = await begin(context);
      await chain.move(40);
      await chain.loadNow(store, covering(all));
      await chain.follow(store);
      await chain.moveUntil(async () => (await chain.incompleteTrees(store)).length > 0);
      const trees = await chain.incompleteTrees(store);
      const answers = Promise.withResolvers<void>();
      chain.history.ready = answers.promise;
      await chain.request(store, { trees });
      await chain.moveUntil(() => chain.said.some((line) => line.startsWith("reading the transactions")));
      await chain.request(store, { dropTrees: trees });
      answers.resolve();
      await chain.moveUntil(() => chain.said.some((line) => line.endsWith("is not completed any more")));
      await chain.settle();
      expect(await chain.incompleteTrees(store)).toEqual(trees);
    });

    test("a program is dropped, and added again", async (context) => {
      const { chain, store, wide, ownUrl } = await begin(context);
      await chain.load(store, covering(all));
      await chain.load(wide, covering([token, mplCore]));
      const live = await chain.follow(store);
      await chain.follow(wide);
      await chain.move(30);
      await chain.request(store, { drop: [tokenMetadata] });
      await chain.moveUntil(() => chain.covers(store, [token, mplCore]));
      await chain.move(10);
      expect(live.status().detail).not.toHaveProperty("dropping");
      await expectSameStores(chain, store, wide);
      const { closed } = await contentOf(store);
      expect(closed.filter((one) => one.endsWith("life")).length).toBeLessThanOrEqual(
        (await contentOf(wide)).closed.filter((one) => one.endsWith("life")).length,
      );
      const again = ownUrl("again");
      await chain.load(again, covering(all));
      await chain.follow(again);
      await chain.follow(store);
      await chain.request(store, { add: [tokenMetadata] });
      await chain.moveUntil(() => chain.covers(store, all));
      await chain.move(10);
      await expectSameStores(chain, store, again);
    });

    test("what is being added or removed is refused at every commitment until it is complete", async (context) => {
      const { chain, store } = await begin(context);
      await chain.load(store, covering([token]));
      const live = await chain.follow(store, false);
      await chain.move(20);
      const { finalized } = chain.simulation;
      await chain.request(store, { add: [tokenMetadata] });
      await chain.moveUntil(
        async () => ((await chain.coverage(store)).filling?.[0]?.problem ?? null) !== null,
      );
      const { filling } = await chain.coverage(store);
      expect(filling).toMatchObject([{ program: tokenMetadata, accounts: 0, total: null }]);
      expect(filling![0]!.problem).toContain("--repair-rpc");
      // Not a slot of the stream that lacks its accounts.
      expect(filling![0]!.since).toBeGreaterThan(finalized);
      expect(live.status().detail).toMatchObject({ filling });
      expect(live.samples()).toContainEqual(["filling_programs", "gauge", 1]);
      // Given up before it was complete.
      await chain.request(store, { drop: [tokenMetadata] });
      await chain.moveUntil(() => chain.covers(store, [token]));
      await chain.settle();
      await chain.stopFollowing(store);
      expect(await faultsOf(store)).toEqual([]);
    });
  });
};
