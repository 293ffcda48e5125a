import { encodeAddress } from "@lamplight/codecs";
import { type Coverage, type LedgerState, type TreeState, writeTreeState, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, writeOf } from "../chain/accounts.ts";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { changes, type CreateStore, slotOf, withStore, withView } from "../store-under-test.ts";

export const describeCommits = (create: CreateStore): void => {
  describe("commits", () => {
    test("move the watermark when set, never backwards", () =>
      withStore(create, async ({ store }) => {
        expect(await store.readWatermark()).toBeNull();
        await store.commit(changes({}));
        expect(await store.readWatermark()).toBeNull();
        await store.commit(changes({ watermark: { slot: 7, blockhash: "abc" } }));
        await store.commit(changes({}));
        await store.commit(changes({ watermark: { slot: 5, blockhash: "old" } }));
        expect(await store.readWatermark()).toEqual({ slot: 7, blockhash: "abc" });
        await store.commit(changes({ watermark: { slot: 2 ** 53 - 1, blockhash: null } }));
        expect(await store.readWatermark()).toEqual({ slot: 2 ** 53 - 1, blockhash: null });
      }));

    test("apply everything or nothing", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1, { assets: [assetOf("one")] }));
        const broken = {
          ...assetOf("two"),
          get document(): string {
            throw new Error("cannot be read");
          },
        };
        const bad = slotOf(2, {
          accounts: [writeOf(accountOf("wallet", { programOwner: addressOf("a program of its own") }))],
          linksAdded: [{ role: "holder", target: addressOf("t"), source: addressOf("s") }],
          assets: [assetOf("one", { name: "changed" }), broken],
          ledger: [{ key: addressOf("k"), kind: "leaf", tree: addressOf("tree"), state: "{}" }],
          assetsSeen: [{ id: addressOf("seen"), slot: 2 }],
        });
        await expect((async () => under.store.commit(bad))()).rejects.toThrow("cannot be read");
        expect(await under.store.readWatermark()).toEqual({ slot: 1, blockhash: null });
        expect(await under.store.readAccountStates([addressOf("wallet")])).toEqual([null]);
        expect(await under.store.readLinks([addressOf("t")], ["holder"], 5)).toEqual([]);
        expect(await under.store.readLedger("leaf", [addressOf("k")])).toEqual([null]);
        expect(await under.store.readSeenSlots([addressOf("seen")])).toEqual([null]);
        expect((await under.store.readAssetPage(0, 10)).map((one) => one.name)).toEqual(["Asset one"]);
        // The same again without the fault: nothing of the failed attempt is left in the way.
        const receipt = await under.store.commit({ ...bad, assets: [assetOf("two")] });
        expect(receipt).toEqual({ changeSeq: 2, ordinals: [1] });
        const wallet = await withView(under, (view) => view.read(reads.account(addressOf("wallet"))));
        expect(wallet?.programOwner).toEqual(addressOf("a program of its own"));
        expect(await under.store.checkIntegrity()).toEqual([]);
      }));

    test("change nothing when repeated", () =>
      withStore(create, async ({ store }) => {
        const set = slotOf(3, {
          accounts: [writeOf(accountOf("wallet"))],
          linksAdded: [{ role: "member", target: addressOf("t"), source: addressOf("s") }],
          editions: [{ address: addressOf("e"), parent: addressOf("p"), mint: addressOf("m"), number: 1n }],
          assetsSeen: [{ id: addressOf("seen"), slot: 2 }],
          assets: [assetOf("one")],
        });
        const first = await store.commit(set);
        const second = await store.commit(set);
        expect(second.ordinals).toEqual(first.ordinals);
        expect(await store.readAccountPage(null, 10)).toHaveLength(1);
        expect(await store.readLinks([addressOf("t")], ["member"], 5)).toHaveLength(1);
        expect(await store.readAssetPage(0, 10)).toHaveLength(1);
        expect(await store.checkIntegrity()).toEqual([]);
      }));
  });

  describe("coverage", () => {
    const filtered: Coverage = {
      kind: "filtered",
      programs: ["p"],
      owners: [],
      mints: ["m", "n"],
      collections: ["c"],
    };

    test("is nothing in a new store, and what was written after", () =>
      withStore(create, async (under) => {
        const nothing = { kind: "filtered", programs: [], owners: [], mints: [], collections: [] };
        expect(await under.store.readCoverage()).toEqual(nothing);
        await under.store.commit(slotOf(1));
        const early = await under.reader.openView("finalized");
        for (const coverage of [filtered, { kind: "whole" } as const]) {
          await under.store.writeCoverage(coverage);
          expect(await under.store.readCoverage()).toEqual(coverage);
          expect(await withView(under, (view) => view.coverage)).toEqual(coverage);
        }
        expect(early.coverage).toEqual(nothing);
        early.close();
      }));

    test("keeps the genesis hash of its chain once that is known", () =>
      withStore(create, async (under) => {
        expect(await under.store.readGenesisHash()).toBe(null);
        await under.store.writeGenesisHash("first");
        await under.store.writeGenesisHash("second");
        expect(await under.store.readGenesisHash()).toBe("second");
      }));

    test("names no incomplete trees where there are none", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1));
        expect(await withView(under, (view) => view.incompleteTrees)).toEqual([]);
      }));

    test("names the trees of which changes are missing, until these have come", () =>
      withStore(create, async (under) => {
        const trees = ["a", "b", "c"].map(addressOf).toSorted(Buffer.compare);
        const commit = (states: readonly TreeState[]): unknown => {
          const ledger = states.map((state, index): LedgerState => {
            const key = trees[index] as Uint8Array;
            return { key, kind: "tree", tree: key, state: writeTreeState(state) };
          });
          return under.store.commit({ ...slotOf(1), ledger });
        };
        const gap: TreeState = {
          ranges: [
            [0, 3],
            [5, 9],
          ],
          accountSeq: null,
        };
        const behind: TreeState = { ranges: [], accountSeq: 4 };
        const whole: TreeState = { ranges: [[1, 7]], accountSeq: 7 };
        await commit([gap, behind, whole]);
        const early = await under.reader.openView("finalized");
        const [first, second] = trees.map(encodeAddress);
        const both = [
          { tree: first, completeThroughSeq: 3, highestSeq: 9, accountSeq: null },
          { tree: second, completeThroughSeq: 0, highestSeq: 0, accountSeq: 4 },
        ];
        expect(early.incompleteTrees).toEqual(both);
        for (const [index, tree] of trees.entries())
          expect(await early.read(reads.isTreeIncomplete(tree))).toBe(index < 2);
        await commit([gap, whole, whole]);
        expect(await withView(under, (view) => view.incompleteTrees)).toEqual(both.slice(0, 1));
        await commit([whole]);
        expect(await withView(under, (view) => view.incompleteTrees)).toEqual([]);
        expect(early.incompleteTrees).toEqual(both);
        early.close();
      }));
  });
};
