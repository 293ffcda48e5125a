import { type Link, linkRoles, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressOf, compareAddresses } from "../chain/addresses.ts";
import { changes, type CreateStore, slotOf, withStore, withView } from "../store-under-test.ts";

const target = addressOf("target");
const other = addressOf("other target");

const linksOf = (role: Link["role"], to: Uint8Array, count: number): Link[] =>
  Array.from({ length: count }, (_, index) => ({
    role,
    target: to,
    source: addressOf(`${role} source ${index}`),
  }));

const bySource = (a: Link, b: Link): number => compareAddresses(a.source, b.source);

const order = (link: Link): string =>
  `${linkRoles.indexOf(link.role)} ${Buffer.from(link.source).toString("hex")}`;

export const describeLists = (create: CreateStore): void => {
  describe("links", () => {
    test("come by target and role in the order asked, ascending by source, up to the limit", () =>
      withStore(create, async ({ store }) => {
        const members = linksOf("member", target, 9).toSorted(bySource);
        const holders = linksOf("holder", other, 3).toSorted(bySource);
        await store.commit(changes({ linksAdded: [...members.toReversed(), ...holders] }));
        expect(await store.readLinks([other, target], ["member", "holder"], 4)).toEqual([
          ...holders,
          ...members.slice(0, 4),
        ]);
        expect(await store.readLinks([target], ["metadata"], 4)).toEqual([]);
        expect(await store.readLinks([], linkRoles, 4)).toEqual([]);
      }));

    test("page after a source, each once", () =>
      withStore(create, async ({ store }) => {
        const members = linksOf("member", target, 11).toSorted(bySource);
        await store.commit(changes({ linksAdded: [...members, ...linksOf("holder", target, 4)] }));
        for (const limit of [1, 4, 20]) {
          const found: Link[] = [];
          for (let steps = 0; steps <= members.length; steps += 1) {
            const page = await store.readLinkPage(target, "member", found.at(-1)?.source ?? null, limit);
            expect(page.length).toBeLessThanOrEqual(limit);
            found.push(...page);
          }
          expect(found).toEqual(members);
        }
      }));

    test("are added once and removed for good", () =>
      withStore(create, async ({ store }) => {
        const links = linkRoles.flatMap((role) => linksOf(role, target, 2));
        await store.commit(changes({ linksAdded: links }));
        await store.commit(changes({ linksAdded: links }));
        expect(await store.readLinks([target], linkRoles, 10)).toHaveLength(links.length);
        const [gone, ...rest] = links;
        await store.commit(changes({ linksRemoved: [gone as Link, ...linksOf("member", other, 1)] }));
        const found = await store.readLinks([target], linkRoles, 10);
        expect(found.map(order)).toEqual(rest.map(order).toSorted());
      }));
  });

  describe("ledger states", () => {
    test("are replaced by kind and key, and come in the order asked", () =>
      withStore(create, async ({ store }) => {
        const leaf = {
          key: addressOf("x"),
          kind: "leaf",
          tree: addressOf("tree"),
          state: '{"seq":1}',
        } as const;
        const tree = {
          key: addressOf("x"),
          kind: "tree",
          tree: addressOf("x"),
          state: '{"ranges":[[0,9]],"accountSeq":null}',
        } as const;
        const long = { ...leaf, key: addressOf("y"), state: JSON.stringify("é".repeat(30_000)) };
        const nodes = { ...leaf, kind: "nodes", state: '{"seq":3}' } as const;
        await store.commit(changes({ ledger: [leaf, tree, long, nodes] }));
        expect(await store.readLedger("nodes", [long.key, nodes.key])).toEqual([null, nodes]);
        expect(await store.readLedger("leaf", [long.key, addressOf("z"), leaf.key])).toEqual([
          long,
          null,
          leaf,
        ]);
        const moved = { ...leaf, tree: addressOf("tree 2"), state: '{"seq":2}' };
        await store.commit(changes({ ledger: [moved] }));
        expect(await store.readLedger("leaf", [leaf.key])).toEqual([moved]);
        expect(await store.readLedger("tree", [leaf.key])).toEqual([tree]);
        expect(await store.readLedger("nodes", [leaf.key])).toEqual([nodes]);
      }));

    test("are answered to readers of a store that keeps nodes of trees", () =>
      withStore(create, async (under) => {
        if (under.store.readTrees === undefined) return;
        const states = (["leaf", "tree", "nodes"] as const).map((kind) => ({
          kind,
          key: addressOf("x"),
          tree: addressOf("x"),
          state: kind === "tree" ? '{"ranges":[[0,9]],"accountSeq":null}' : '{"seq":1}',
        }));
        await under.store.commit({ ...slotOf(1), ledger: states });
        await withView(under, async (view) => {
          for (const state of states) {
            const keys = [addressOf("z"), state.key];
            expect(await view.read(reads.ledger(state.kind, keys))).toEqual([null, state]);
          }
        });
      }));

    test("of trees are listed page by page", () =>
      withStore(create, async ({ store }) => {
        const { readTrees } = store;
        if (readTrees === undefined) return;
        const trees = ["a", "b", "c"]
          .map((name) => ({
            kind: "tree" as const,
            key: addressOf(name),
            tree: addressOf(name),
            state: '{"ranges":[[0,9]],"accountSeq":null}',
          }))
          .toSorted((a, b) => Buffer.compare(a.key, b.key));
        const leaf = { kind: "leaf", key: addressOf("a"), tree: addressOf("b"), state: "{}" } as const;
        await store.commit(changes({ ledger: [...trees.toReversed(), leaf] }));
        expect(await readTrees(null, 2)).toEqual(trees.slice(0, 2));
        expect(await readTrees(trees[1]!.key, 2)).toEqual(trees.slice(2));
      }));
  });

  describe("slots seen", () => {
    test("are kept as a minimum, with or without an asset", () =>
      withStore(create, async ({ store }) => {
        const id = addressOf("id");
        expect(await store.readSeenSlots([id])).toEqual([null]);
        for (const slot of [20, 30, 10, 15]) await store.commit(changes({ assetsSeen: [{ id, slot }] }));
        await store.commit(changes({ assetsSeen: [{ id: addressOf("zero"), slot: 0 }] }));
        expect(await store.readSeenSlots([addressOf("zero"), addressOf("never"), id])).toEqual([0, null, 10]);
      }));
  });
};
