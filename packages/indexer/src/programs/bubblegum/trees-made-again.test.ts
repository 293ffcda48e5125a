// A tree that is closed and created again at its address: the ids of its first leaves come back.

import { encodeAddress } from "@lamplight/codecs";
import {
  isTreeComplete,
  parseExact,
  parseTreeState,
  type Transaction,
  treeCoverageOf,
} from "@lamplight/core";
import { addressOf, BubblegumTree, metadataV1 } from "@lamplight/devchain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexContent } from "../../../test/index-content.ts";
import { type TestStore, withTestStore } from "../../../test/open-test-store.ts";
import { createIndexer } from "../../indexer.ts";

const [alice, bob, carol] = [addressOf(1), addressOf(2), addressOf(3)] as const;

/** Slots between the lives; forks do not live for so long. */
const LATER = 10_000;

const watermark = { slot: 1, blockhash: null };

const formerLife = (tree: BubblegumTree): Transaction[] => [
  tree.create(),
  tree.mintV1(alice, metadataV1({ name: "Former" })),
  tree.mintV1(alice),
  tree.transfer(0, bob),
  tree.burn(0),
  tree.burn(1),
];

const createAgain = (tree: BubblegumTree): Transaction => {
  tree.held.length = 0;
  tree.slot += LATER;
  return tree.create();
};

const applied = async (
  opened: TestStore,
  batches: readonly (readonly Transaction[])[],
): Promise<readonly string[]> => {
  const problems: string[] = [];
  const indexer = createIndexer(opened.store, { onProblem: ({ kind }) => problems.push(kind) });
  for (const batch of batches) await indexer.applyTransactions(batch, watermark);
  return problems;
};

const documentIn = async (opened: TestStore, id: Uint8Array): Promise<unknown> => {
  const asset = await opened.findAsset(encodeAddress(id));
  return asset === null ? null : parseExact(asset.document);
};

describe("a tree that is created again", () => {
  test("shows the leaves of its new life, and those that only the former one had as burnt", () =>
    withTestStore(async (opened) => {
      const tree = new BubblegumTree(1);
      const history = [
        ...formerLife(tree),
        createAgain(tree),
        tree.mintV1(carol, metadataV1({ name: "Again" })),
      ];
      expect(await applied(opened, [history])).toEqual([]);
      expect(await documentIn(opened, tree.idOf(0))).toMatchObject({
        burnt: false,
        ownership: { owner: encodeAddress(carol) },
        content: { metadata: { name: "Again" } },
        compression: { seq: 1 },
      });
      expect(await documentIn(opened, tree.idOf(1))).toMatchObject({ burnt: true, compression: { seq: 5 } });
      await applied(opened, [[tree.burn(0)]]);
      expect(await documentIn(opened, tree.idOf(0))).toMatchObject({
        burnt: true,
        ownership: { owner: encodeAddress(carol) },
        compression: { seq: 2 },
      });
    }));

  test("is incomplete while a change of the new life is missing", () =>
    withTestStore(async (opened) => {
      const tree = new BubblegumTree(1);
      const former = formerLife(tree);
      const created = createAgain(tree);
      const [first, second] = [tree.mintV1(carol), tree.mintV1(carol)];
      const isComplete = async (): Promise<boolean> => {
        const [row] = await opened.store.readLedger("tree", [tree.address]);
        return isTreeComplete(treeCoverageOf("tree", parseTreeState(row!.state)));
      };
      await applied(opened, [former, [created]]);
      expect(await isComplete()).toBe(true);
      await applied(opened, [[second]]);
      expect(await isComplete()).toBe(false);
      await applied(opened, [[first]]);
      expect(await isComplete()).toBe(true);
    }));

  test("ends in the same assets in any order and in any batches", async () => {
    const tree = new BubblegumTree(1);
    const history = [
      ...formerLife(tree),
      createAgain(tree),
      tree.mintV1(carol, metadataV1({ name: "Again" })),
      tree.delegate(0, bob),
      tree.mintV1(bob),
      tree.burn(1),
    ];
    const expected = await withTestStore(async (opened) => {
      await applied(opened, [history]);
      return indexContent(opened.store);
    });
    const order = fc.shuffledSubarray([...history, ...history], { minLength: history.length * 2 });
    await fc.assert(
      fc.asyncProperty(order, fc.nat(history.length), (all, cut) =>
        withTestStore(async (opened) => {
          expect(await applied(opened, [all.slice(0, cut), all.slice(cut)])).toEqual([]);
          expect(await indexContent(opened.store)).toBe(expected);
        }),
      ),
      { numRuns: 20 },
    );
  });
});
