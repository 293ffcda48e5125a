// Changes of the coverage of a store that follows an RPC node, for each engine: compared with a store that had that coverage
// from its load.

import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import { newFilling } from "@lamplight/core";
import { describe, expect, test, vi } from "vitest";
import { covering, faultsOf, programs } from "./covered-chain.ts";
import { expectSameStores } from "./expect-same-stores.ts";
import { ScannedChain } from "./scanned-chain.ts";

/** What each test is given. */
interface ScannedParts {
  readonly chain: ScannedChain;
  /** URLs of the store that is followed, and of the one that it is compared with. */
  readonly store: string;
  readonly wide: string;
  readonly covers: (store: string, ...programs: readonly string[]) => () => Promise<boolean>;
  readonly isSaid: (words: string) => () => boolean;
  readonly expectNoEnd: () => void;
}

/**
 * A chain with an odd seed is listened to, and another one is polled.
 *
 * @param urlOf - names a new store with each call
 */
export const describeScannedChanges = (urlOf: (name: string) => string, seed: number): void => {
  const withSocket = seed % 2 === 1;
  const { token, tokenMetadata, mplCore } = programs;
  const all = [token, tokenMetadata, mplCore];

  /** A test with a chain and stores of its own: all of them wait for slots most of the time. */
  const scanned = (what: string, body: (parts: ScannedParts) => Promise<void>): void =>
    test.concurrent(what, async () => {
      const chain = new ScannedChain(seed, withSocket);
      await chain.start();
      try {
        await body({
          chain,
          store: urlOf("followed"),
          wide: urlOf("wide"),
          covers:
            (store, ...some) =>
            () =>
              chain.covers(store, some),
          isSaid: (words) => () => chain.said.some((line) => line.includes(words)),
          expectNoEnd: () => expect(chain.said.filter((line) => line.startsWith("ended"))).toEqual([]),
        });
      } finally {
        await chain.stop();
      }
    });

  describe(`seed ${seed}, ${withSocket ? "with" : "without"} a WebSocket`, () => {
    scanned(
      "programs are added while the chain moves, also over a restart",
      async ({ chain, store, wide, covers, isSaid, expectNoEnd }) => {
        await chain.load(store, covering([token]));
        await chain.load(wide, covering(all));
        await chain.follow(wide);
        await chain.follow(store);
        await chain.move(20);
        await chain.request(store, { add: [tokenMetadata] });
        await chain.moveUntil(isSaid("adding them to new slots"));
        await chain.move(2);
        await chain.stopFollowing(store);
        await chain.request(store, { add: [mplCore] });
        await chain.move(5);
        await chain.follow(store);
        await chain.moveUntil(covers(store, ...all));
        await chain.move(10);
        await expectSameStores(chain, store, wide);
        expectNoEnd();
      },
    );

    scanned("a program is dropped, and added again", async ({ chain, store, wide, covers, expectNoEnd }) => {
      await chain.load(store, covering(all));
      await chain.load(wide, covering([token, mplCore]));
      const live = await chain.follow(store);
      await chain.follow(wide);
      await chain.move(20);
      await chain.request(store, { drop: [tokenMetadata] });
      await chain.moveUntil(covers(store, token, mplCore));
      await chain.move(10);
      expect(live.status().detail).not.toHaveProperty("dropping");
      await expectSameStores(chain, store, wide);
      const again = urlOf("again");
      await chain.load(again, covering(all));
      await chain.follow(again);
      await chain.follow(store);
      await chain.request(store, { add: [tokenMetadata] });
      await chain.moveUntil(covers(store, ...all));
      await chain.move(10);
      await expectSameStores(chain, store, again);
      expectNoEnd();
    });

    scanned(
      "an incomplete tree is completed from the node, and followed from then on",
      async ({ chain, store, wide, expectNoEnd }) => {
        const coverage = covering([token, programAddressTexts.splAccountCompression]);
        await chain.load(wide, { ...coverage, trees: [chain.tree] });
        await chain.load(store, coverage);
        await chain.follow(wide);
        await chain.moveUntil(() => chain.treeTransactions.length > 5);
        await chain.apply(store, chain.treeTransactions.slice(3, 4));
        expect(await chain.incompleteTrees(store)).toEqual([chain.tree]);
        const live = await chain.follow(store);
        await chain.request(store, { trees: [chain.tree] });
        // It says so once the request is done with.
        await chain.moveUntil(() =>
          chain.said.some((line) => /^tree \w+ is (?:complete|followed): \d+/u.test(line)),
        );
        expect((await chain.requested(store)).trees).toBeUndefined();
        expect((await chain.coverage(store)).trees).toEqual([chain.tree]);
        expect(live.samples()).toContainEqual(["filling_trees", "gauge", 0]);
        const before = chain.treeTransactions.length;
        await chain.moveUntil(() => chain.treeTransactions.length > before + 5);
        await expectSameStores(chain, store, wide);
        expect(await chain.incompleteTrees(store)).toEqual([]);
        expectNoEnd();
      },
    );

    scanned(
      "a program that another process began to add is read again, also by the next process",
      async ({ chain, store, expectNoEnd }) => {
        const after = encodeAddress(new Uint8Array(32).fill(9));
        const program = { program: tokenMetadata, since: 5, accounts: 9, total: 10, after, problem: null };
        await chain.load(store, { ...covering([token]), filling: [program] });
        // The chain stands still, so no slot is taken, and nothing else writes the coverage.
        await chain.follow(store);
        const expectReset = async (): Promise<void> =>
          expect((await chain.coverage(store)).filling).toEqual([newFilling(tokenMetadata)]);
        await vi.waitFor(expectReset, { timeout: 300_000, interval: 100 });
        expectNoEnd();
      },
    );

    scanned(
      "a program that the node does not list is refused, never followed, and can be given up",
      async ({ chain, store, covers, expectNoEnd }) => {
        await chain.load(store, covering([token]));
        const live = await chain.follow(store);
        await chain.move(20);
        chain.node.unlistedPrograms.add(tokenMetadata);
        await chain.request(store, { add: [tokenMetadata] });
        await chain.moveUntil(
          async () => ((await chain.coverage(store)).filling?.[0]?.problem ?? null) !== null,
        );
        const { filling, programs: covered } = await chain.coverage(store);
        expect(covered).toEqual([token]);
        expect(filling).toMatchObject([{ program: tokenMetadata, since: null, accounts: 0, total: null }]);
        expect(live.status().detail).toMatchObject({ filling });
        expect(live.samples()).toContainEqual(["filling_programs", "gauge", 1]);
        const finalized = live.finalizedSlot!;
        await chain.moveUntil(() => live.finalizedSlot! > finalized + 5);
        await chain.request(store, { drop: [tokenMetadata] });
        await chain.moveUntil(covers(store, token));
        await chain.settle();
        await chain.stopFollowing(store);
        expect(await faultsOf(store)).toEqual([]);
        expectNoEnd();
      },
    );
  });
};
