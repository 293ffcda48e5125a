// Proofs over stores of simulated trees. Each is hashed again here, and compared with the tree's own nodes.

import { encodeAddress } from "@lamplight/codecs";
import { emptyChangeSet, nodesStateKey } from "@lamplight/core";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { bob, expectProof, idOf, message, mintMany, nodesOf, stepOf, wrongBlock } from "./proof-steps.ts";
import { accountAt, askOver, type OpenedPlace, ProofStore, type ProofStoreOptions } from "./proof-store.ts";

/** How much is tested: a database on a socket answers later than a file. */
interface ProofAmounts {
  /** Leaves of each tree of which every one is proved. */
  readonly leaves: number;
  /** Histories that are drawn. */
  readonly runs: number;
}

/** @param openPlace - opens an empty store of the kind that is tested */
export const describeProofs = (
  openPlace: () => Promise<OpenedPlace>,
  { leaves, runs }: ProofAmounts,
): void => {
  const stores: ProofStore[] = [];
  const open = async (options: ProofStoreOptions = {}): Promise<ProofStore> => {
    const opened = await ProofStore.open(await openPlace(), options);
    stores.push(opened);
    return opened;
  };
  afterEach(async () => {
    for (const one of stores.splice(0)) await one.close();
  });

  describe("proofs", () => {
    test.each([3, 6, 7, 14, 20, 24, 30])("of every leaf of a tree of depth %i", async (depth) => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth });
      await chain.apply([tree.create(), ...mintMany(tree, Math.min(2 ** depth, leaves))], [tree]);
      for (const nonce of tree.held.keys())
        expectProof(await chain.ask("getAssetProof", { id: idOf(tree, nonce) }), tree, nonce);
    });

    test("of leaves that changed in any way, kept and filled alike, with and without a canopy", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 3, max: 26 }),
          fc.nat(10),
          fc.array(fc.nat(2 ** 20), { minLength: 5, maxLength: 120 }),
          async (depth, canopyDepth, steps) => {
            const tree = new BubblegumTree(1, { depth, canopyDepth: Math.min(depth, canopyDepth) });
            const burnt = new Set<number>();
            const history = [
              tree.create(),
              ...steps.flatMap((step) => (tree.held.length < 2 ** depth ? stepOf(tree, burnt, step) : [])),
            ];
            const [kept, filled] = [await open(), await open({ keeps: false })];
            const half = Math.floor(history.length / 2);
            await kept.apply(history.slice(0, half), []);
            await kept.apply(history.slice(half), [tree]);
            await filled.apply(history, [tree]);
            await filled.fill();
            expect(await nodesOf(filled, tree)).toEqual(await nodesOf(kept, tree));
            expect([await filled.verify(), await kept.verify()]).toEqual([[], []]);
            for (const nonce of tree.held.keys()) {
              const id = idOf(tree, nonce);
              const asked = filled.ask("getAssetProof", { id });
              if (burnt.has(nonce)) await expect(asked).rejects.toThrow("was burnt");
              else {
                expectProof(await asked, tree, nonce);
                expectProof(await kept.ask("getAssetProof", { id }), tree, nonce);
              }
            }
            const living = [...tree.held.keys()].filter((nonce) => !burnt.has(nonce)).slice(0, 100);
            const ids = living.map((nonce) => idOf(tree, nonce));
            const together = (await kept.ask("getAssetProofs", { ids })) as Record<string, unknown>;
            for (const nonce of living) expectProof(together[idOf(tree, nonce)], tree, nonce);
          },
        ),
        { numRuns: runs },
      );
    });

    test("of several assets, with null for those without a leaf", async () => {
      const chain = await open();
      const trees = [new BubblegumTree(1, { depth: 14 }), new BubblegumTree(2, { depth: 8 })];
      const history = trees.flatMap((tree) => [tree.create(), ...mintMany(tree, 70)]);
      await chain.apply([...history, trees[0]!.burn(3)], trees);
      const [first, second] = trees as [BubblegumTree, BubblegumTree];
      const unknown = encodeAddress(addressOf(77));
      const ids = [idOf(first, 2), idOf(first, 3), idOf(second, 69), unknown, idOf(first, 2)];
      for (const method of ["getAssetProofs", "getAssetProofBatch"]) {
        const answer = (await chain.ask(method, { ids })) as Record<string, unknown>;
        expect(Object.keys(answer)).toEqual(ids.slice(0, 4));
        expectProof(answer[ids[0]!], first, 2);
        expectProof(answer[ids[2]!], second, 69);
        expect([answer[ids[1]!], answer[unknown]]).toEqual([null, null]);
      }
      const many = Array.from({ length: 101 }, () => unknown);
      await expect(chain.ask("getAssetProofs", { ids: many })).rejects.toThrow("at most 100 items");
    });

    test("of several trees are bounded by the bytes of the accounts that are read", async () => {
      const chain = await open();
      const trees = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => new BubblegumTree(number, { depth: 30 }));
      const history = trees.flatMap((tree) => [tree.create(), ...mintMany(tree, 1)]);
      await chain.apply(history, trees);
      const ids = trees.map((tree) => idOf(tree, 0));
      // The answer fits, and four times as many bytes may be read. The accounts have more.
      const answerBytesMax = JSON.stringify(await chain.ask("getAssetProofs", { ids })).length + 100;
      expect(4 * answerBytesMax).toBeLessThan(8 * trees[0]!.account().data.length);
      const ask = (some: readonly string[]): Promise<unknown> =>
        askOver(chain.reader, "getAssetProofs", { ids: some }, { answerBytesMax });
      expect(Object.keys((await ask(ids.slice(0, 4))) as object)).toEqual(ids.slice(0, 4));
      await expect(ask(ids)).rejects.toThrow(`over ${4 * answerBytesMax} bytes of stored data`);
    });

    test("of a tree that was closed and made again have nothing of the former one", async () => {
      const chain = await open();
      const former = new BubblegumTree(1, { depth: 8 });
      await chain.apply([former.create(), ...mintMany(former, 200)], [former]);
      const tree = new BubblegumTree(1, { depth: 8 });
      tree.slot = former.slot + 10;
      await chain.apply([tree.create(), ...mintMany(tree, 70)], [tree]);
      for (const nonce of [0, 63, 64, 69])
        expectProof(await chain.ask("getAssetProof", { id: idOf(tree, nonce) }), tree, nonce);
    });
  });

  describe("what cannot be proved is refused", () => {
    test("where changes of the tree are missing, until they come", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 14 });
      const history = [tree.create(), ...mintMany(tree, 100)];
      const [lost] = history.splice(50, 1);
      await chain.apply(history, [tree]);
      const id = idOf(tree, 48);
      const refused = await message(chain.ask("getAssetProof", { id }));
      expect(refused).toContain(
        `proofs of tree ${encodeAddress(tree.address)}, of which changes are missing between 49 and 100`,
      );
      expect(await message(chain.ask("getAssetProofs", { ids: [id] }))).toBe(refused);
      // The nodes next to other paths came with later changes, so that their proofs hold.
      for (const nonce of [2, 40, 52])
        expectProof(await chain.ask("getAssetProof", { id: idOf(tree, nonce) }), tree, nonce);
      await chain.apply([lost!], []);
      expectProof(await chain.ask("getAssetProof", { id }), tree, 48);
    });

    test("where any changes are missing, whatever their order, and no proof is wrong", async () => {
      let [answered, refused] = [0, 0];
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 3, max: 18 }),
          fc.array(fc.record({ step: fc.nat(2 ** 20), order: fc.nat(999), isLost: fc.nat(9) }), {
            minLength: 20,
            maxLength: 90,
          }),
          async (depth, steps) => {
            const tree = new BubblegumTree(1, { depth, canopyDepth: depth % 3 });
            const chain = await open();
            const [first, ...more] = steps.flatMap(({ step, order, isLost }) =>
              tree.held.length < 2 ** depth
                ? stepOf(tree, new Set(), step).map((transaction) => ({ transaction, order, isLost }))
                : [],
            );
            const kept = more.filter(({ isLost }) => isLost > 0).toSorted((a, b) => a.order - b.order);
            const half = Math.floor(kept.length / 2);
            const transactions = [first!, ...kept].map(({ transaction }) => transaction);
            await chain.apply(transactions.slice(half), []);
            await chain.apply(transactions.slice(0, half + 1), [tree]);
            for (const nonce of tree.held.keys()) {
              const asked = chain.ask("getAssetProof", { id: idOf(tree, nonce) });
              const reason = await message(asked);
              if (reason === "answered") expectProof(await asked, tree, nonce);
              else expect(reason).toMatch(/changes are missing|was burnt|Asset Not Found/u);
              if (reason === "answered") answered += 1;
              else refused += 1;
            }
          },
        ),
        { numRuns: runs },
      );
      expect([answered > 0, refused > 0]).toEqual([true, true]);
    });

    test("where changes of the tree are missing below the same node of the canopy", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 10, canopyDepth: 4 });
      const history = [tree.create(), ...mintMany(tree, 200)];
      await chain.apply(history, [tree]);
      tree.transfer(70, bob);
      await chain.apply([], [tree]);
      const ask = (nonce: number) => chain.ask("getAssetProof", { id: idOf(tree, nonce) });
      for (const nonce of [0, 63, 128, 199]) expectProof(await ask(nonce), tree, nonce);
      for (const nonce of [64, 69, 127]) expect(await message(ask(nonce))).toContain("between 200 and 201");
    });

    test("where the newest changes are missing, as the account tells", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 14 });
      await chain.apply([tree.create(), ...mintMany(tree, 100)], [tree]);
      const lost = tree.transfer(7, addressOf(9));
      await chain.apply([], [tree]);
      expect(await message(chain.ask("getAssetProof", { id: idOf(tree, 9) }))).toContain(
        "between 100 and 101",
      );
      await chain.apply([lost], []);
      expectProof(await chain.ask("getAssetProof", { id: idOf(tree, 9) }), tree, 9);
    });

    test("where no nodes are kept, but not in a tree whose canopy has all", async () => {
      const chain = await open({ keeps: false });
      const tree = new BubblegumTree(1, { depth: 14 });
      const small = new BubblegumTree(2, { depth: 5, canopyDepth: 5 });
      const history = [tree.create(), ...mintMany(tree, 100), small.create(), ...mintMany(small, 9)];
      await chain.apply(history, [tree, small]);
      const asked = chain.ask("getAssetProof", { id: idOf(tree, 9) });
      expect(await message(asked)).toContain("it keeps no nodes of trees");
      expectProof(await chain.ask("getAssetProof", { id: idOf(small, 8) }), small, 8);
      expect((await chain.store.readLedger("nodes", [nodesStateKey]))[0]).toBeNull();
    });

    test("while nodes are filled, and a filling that was stopped goes on", async () => {
      const chain = await open({ keeps: false });
      const trees = [1, 2, 3].map((number) => new BubblegumTree(number, { depth: 14 }));
      await chain.apply(
        trees.flatMap((tree) => [tree.create(), ...mintMany(tree, 100)]),
        trees,
      );
      const stopped = AbortSignal.abort();
      await chain.fill(stopped);
      const asked = chain.ask("getAssetProof", { id: idOf(trees[0]!, 9) });
      expect(await message(asked)).toContain("still being filled");
      expect(await chain.verifyNodes()).toEqual({ problems: [], isUnfilled: true });
      await chain.fill();
      expect(await chain.verifyNodes()).toEqual({ problems: [], isUnfilled: false });
      for (const tree of trees) expectProof(await chain.ask("getAssetProof", { id: idOf(tree, 9) }), tree, 9);
    });

    test("where nodes were filled while changes were missing, until these are there and nodes are filled again", async () => {
      const chain = await open({ keeps: false });
      const tree = new BubblegumTree(1, { depth: 14 });
      const history = [tree.create(), ...mintMany(tree, 100)];
      const [lost] = history.splice(50, 1);
      await chain.apply(history, [tree]);
      await chain.fill();
      await chain.apply([lost!], []);
      const ask = () => chain.ask("getAssetProof", { id: idOf(tree, 9) });
      expect(await message(ask())).toContain("whose kept nodes do not give the root of its account");
      expect(await chain.verify()).toEqual([
        `tree ${encodeAddress(tree.address)}: 12 of its nodes are wrong; run lamplight index add das`,
      ]);
      await chain.fill();
      expect(await chain.verify()).toEqual([]);
      expectProof(await ask(), tree, 9);
    });

    test("where a node is wrong, or a leaf, as verify tells of each tree", async () => {
      const chain = await open();
      const trees = [1, 2, 3].map((number) => new BubblegumTree(number, { depth: 14 }));
      await chain.apply(
        trees.flatMap((tree) => [tree.create(), ...mintMany(tree, 70)]),
        trees,
      );
      const [first, second] = trees as [BubblegumTree, BubblegumTree];
      const wrong = await wrongBlock(chain, first);
      const [leaf] = await chain.store.readLedger("leaf", [second.idOf(3)]);
      const [other] = await chain.store.readLedger("leaf", [second.idOf(4)]);
      const ledger = [wrong, { ...leaf!, state: other!.state }];
      await chain.store.commit({ ...emptyChangeSet, ledger });
      const [one, two] = [first, second].map((tree) => `tree ${encodeAddress(tree.address)}`);
      const found = await chain.verify();
      expect(found).toHaveLength(2);
      expect(found).toContain(`${one}: 1 of its nodes are wrong; run lamplight index add das`);
      expect(found).toContain(`${two}: its leaves do not give the root of its account`);
      expect(await message(chain.ask("getAssetProof", { id: idOf(first, 9) }))).toContain(
        "do not give the root",
      );
    });

    test("where the tree's account is not known, or is of another program", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 14 });
      await chain.apply([tree.create(), ...mintMany(tree, 3)], []);
      const asked = () => message(chain.ask("getAssetProof", { id: idOf(tree, 1) }));
      expect(await asked()).toContain(`the account of tree ${encodeAddress(tree.address)}`);
      const foreign = { ...accountAt(tree, tree.slot), programOwner: addressOf(5) };
      await createIndexer(chain.store).applyAccounts([foreign], { slot: tree.slot, blockhash: null });
      expect(await asked()).toContain(`the account of tree ${encodeAddress(tree.address)}`);
      await chain.apply([], [tree]);
      expect(await asked()).toBe("answered");
    });

    test("where the account's root is another one", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 14 });
      await chain.apply([tree.create(), ...mintMany(tree, 100)], [tree]);
      const account = accountAt(tree, tree.slot + 1);
      const at = 80 + (tree.seq % 8) * (32 * 15 + 8);
      account.data[at] = account.data[at]! ^ 1;
      await createIndexer(chain.store).applyAccounts([account], { slot: tree.slot + 1, blockhash: null });
      const asked = chain.ask("getAssetProof", { id: idOf(tree, 9) });
      expect(await message(asked)).toContain("whose kept nodes do not give the root of its account");
    });

    test("for an asset that is not compressed, and for one that does not exist", async () => {
      const chain = await open();
      const tree = new BubblegumTree(1, { depth: 5 });
      await chain.apply([tree.create(), ...mintMany(tree, 3)], [tree]);
      const asked = chain.ask("getAssetProof", { id: encodeAddress(addressOf(77)) });
      await expect(asked).rejects.toMatchObject({ code: "ASSET__NOT_FOUND" });
      expect(await message(chain.ask("getAssetProof", { id: "0" }))).toContain("id is not base58");
      const partial = await open({
        coverage: { kind: "filtered", programs: [], owners: [], mints: [], collections: [] },
      });
      await partial.apply([new BubblegumTree(3).create()], []);
      const outside = partial.ask("getAssetProof", { id: encodeAddress(addressOf(77)) });
      await expect(outside).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    });
  });
};
