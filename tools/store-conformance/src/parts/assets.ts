import { type Asset, packAssets, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

/** Every member set to something unusual. */
const fullAsset: Asset = assetOf("full", {
  interface: "MplCoreCollection",
  ownerModel: "token",
  assetOwner: null,
  delegate: addressOf("delegate"),
  authority: addressOf("authority"),
  supply: 2n ** 64n - 1n,
  supplyMint: null,
  royaltyModel: "fanout",
  basisPoints: 65_535,
  creators: [
    { address: addressOf("z"), verified: true, share: 100 },
    { address: addressOf("a"), verified: false, share: 0 },
    { address: addressOf("z"), verified: false, share: 5 },
  ],
  groups: [
    { key: "collection", value: "So11111111111111111111111111111111111111112", verified: true },
    { key: "é\u0000\"'", value: "", verified: false },
  ],
  compressed: true,
  compressible: true,
  frozen: true,
  burnt: true,
  mutable: false,
  name: "Ünï 🏮 \u0000 'name'",
  jsonUri: "ipfs://x?a=1&b='",
  tree: addressOf("tree"),
  leafIndex: 2 ** 30 - 1,
  createdSlot: 2 ** 53 - 2,
  updatedSlot: 2 ** 53 - 1,
  document: `{"text":${JSON.stringify("🏮".repeat(2000))}}`,
  extras: '{"token_info":{}}',
});

const findAsset = (under: StoreUnderTest, id: Uint8Array) =>
  withView(under, (view) => view.read(reads.ownAsset(id)));

export const describeAssets = (create: CreateStore): void => {
  describe("assets", () => {
    test("come back with every fact, document and extras", () =>
      withStore(create, async (under) => {
        const plain = assetOf("plain", { name: "", jsonUri: "", supply: 0n });
        const { ordinals } = await under.store.commit(slotOf(1, { assets: [fullAsset, plain] }));
        const stored = [fullAsset, plain].map((asset, index) => ({ ...asset, ordinal: ordinals[index] }));
        expect(await under.store.readAssetPage(0, 10)).toEqual(
          stored.toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0)),
        );
        expect(await findAsset(under, fullAsset.id)).toEqual({
          document: fullAsset.document,
          extras: fullAsset.extras,
          updatedSlot: fullAsset.updatedSlot,
        });
        expect(await findAsset(under, addressOf("none"))).toBeNull();
      }));

    test("keep their ordinal when replaced; a removed one's is never given again", () =>
      withStore(create, async (under) => {
        const [a, b, c] = [assetOf("a"), assetOf("b"), assetOf("c")];
        const first = await under.store.commit(slotOf(1, { assets: [a, b] }));
        expect(new Set(first.ordinals).size).toBe(2);
        const again = await under.store.commit(slotOf(2, { assets: [{ ...b, name: "new" }, c, a] }));
        expect([again.ordinals[2], again.ordinals[0]]).toEqual(first.ordinals);
        await under.store.commit(slotOf(3, { assetsRemoved: [c.id, addressOf("none")] }));
        expect(await findAsset(under, c.id)).toBeNull();
        const reborn = await under.store.commit(slotOf(4, { assets: [c] }));
        expect([...first.ordinals, again.ordinals[1]]).not.toContain(reborn.ordinals[0]);
        expect(await under.store.checkIntegrity()).toEqual([]);
      }));

    test("replace creators, groups and extras whole", () =>
      withStore(create, async (under) => {
        await under.store.commit(slotOf(1, { assets: [fullAsset] }));
        const bare = { ...fullAsset, creators: [], groups: fullAsset.groups.slice(1), extras: null };
        const { ordinals } = await under.store.commit(slotOf(2, { assets: [bare] }));
        expect(await under.store.readAssetPage(0, 10)).toEqual([{ ...bare, ordinal: ordinals[0] }]);
      }));

    test("are got by ordinal in the order asked, thousands at once, repeats included", () =>
      withStore(create, async (under) => {
        const assets = Array.from({ length: 2500 }, (_, index) => assetOf(index));
        const { ordinals } = await under.store.commit(slotOf(1, { assets }));
        const asked = [...ordinals.toReversed(), ordinals[5] as number];
        const found = await withView(under, (view) => view.read(reads.ownAssets(asked)));
        expect(found.map((one) => one?.document)).toEqual(
          [...assets.toReversed(), assets[5] as Asset].map((one) => one.document),
        );
        expect(await withView(under, (view) => view.read(reads.ownAssets([])))).toEqual([]);
      }));

    test("are left out where they take more bytes than asked for, and come whole alone", () =>
      withStore(create, async (under) => {
        const small = { ...assetOf(0), document: '{"a":"é"}', extras: null };
        // As many characters as fit, and more bytes.
        const wide = { ...assetOf(1), document: `{"a":"${"é".repeat(40)}"}`, extras: null };
        const extra = { ...assetOf(2), document: "{}", extras: `{"a":"${"x".repeat(60)}"}` };
        const { ordinals } = await under.store.commit(slotOf(1, { assets: [small, wide, extra] }));
        await withView(under, async (view) => {
          const found = await view.read(reads.ownAssets(ordinals, 50));
          expect(found.map((one) => one?.document ?? null)).toEqual([small.document, null, null]);
          const whole = await view.read(reads.ownAssets(ordinals));
          expect(whole.map((one) => [one?.document, one?.extras])).toEqual(
            [small, wide, extra].map(({ document, extras }) => [document, extras]),
          );
        });
      }));

    test("are packed as bytes as they are got, in the order asked, repeats included", () =>
      withStore(create, async (under) => {
        const inherits = '{"inherits":{"from":"x","facts":1},"token_info":{}}';
        const assets = Array.from({ length: 300 }, (_, index) => ({
          ...assetOf(index),
          document: `{"a":"é${index}${"x".repeat(index)}"}`,
          extras: [null, '{"token_info":{}}', inherits, '{"inherit":1}', '{"inheritsX":1}'][index % 5]!,
        }));
        const { ordinals } = await under.store.commit(slotOf(1, { assets }));
        await withView(under, async (view) => {
          for (const asked of [ordinals.toReversed(), [ordinals[7]!, ordinals[2]!, ordinals[7]!], []]) {
            const packed = await view.read(reads.packedAssets(asked, 200));
            const { bytes, sizes, inheriting } = packAssets(await view.read(reads.ownAssets(asked, 200)));
            expect({ ...packed, mayHaveContents: null }).toEqual({
              bytes,
              sizes,
              inheriting,
              mayHaveContents: null,
            });
          }
          expect((await view.read(reads.packedAssets(ordinals, 1e6))).inheriting.size).toBe(60);
        });
      }));

    test("page by ordinal", () =>
      withStore(create, async ({ store }) => {
        await store.commit(slotOf(1, { assets: Array.from({ length: 10 }, (_, index) => assetOf(index)) }));
        await store.commit(slotOf(2, { assetsRemoved: [assetOf(4).id] }));
        const seen: number[] = [];
        for (let from = 0; ;) {
          const page = await store.readAssetPage(from, 4);
          if (page.length === 0) break;
          seen.push(...page.map((one) => one.ordinal));
          from = (page.at(-1)?.ordinal ?? 0) + 1;
        }
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
        expect(seen).toHaveLength(9);
      }));
  });

  describeChanges(create);
};

const describeChanges = (create: CreateStore): void => {
  describe("the change counter", () => {
    test("grows by one per changed asset and orders what changed since", () =>
      withStore(create, async (under) => {
        const [a, b, c] = [assetOf("a"), assetOf("b"), assetOf("c")];
        const first = await under.store.commit(slotOf(1, { assets: [a, b, c] }));
        expect(first.changeSeq).toBe(3);
        const second = await under.store.commit(slotOf(2, { assets: [{ ...a, name: "A" }] }));
        expect(second.changeSeq).toBe(4);
        expect((await under.store.commit(slotOf(3))).changeSeq).toBe(4);
        const since = async (changeSeq: number, limit = 10) =>
          (await under.store.readAssetsChangedSince(changeSeq, limit)).map((one) => [
            one.name,
            one.changeSeq,
          ]);
        expect(await since(0)).toEqual([
          ["Asset b", 2],
          ["Asset c", 3],
          ["A", 4],
        ]);
        expect(await since(0, 2)).toHaveLength(2);
        expect(await since(3)).toEqual([["A", 4]]);
        expect(await since(4)).toEqual([]);
      }));

    test("is listed for views, with removals, and each asset's facts", () =>
      withStore(create, async (under) => {
        const { ordinals } = await under.store.commit(slotOf(1, { assets: [assetOf("a"), fullAsset] }));
        await under.store.commit(slotOf(2, { assetsRemoved: [assetOf("a").id] }));
        await withView(under, async (view) => {
          expect(view.terms.changeSeq).toBe(3);
          const { document: _document, extras: _extras, ...facts } = fullAsset;
          expect(await view.terms.listChanges(0, 10)).toEqual([
            { ordinal: ordinals[1], facts, changeSeq: 2 },
            { ordinal: ordinals[0], facts: null, changeSeq: 3 },
          ]);
          expect(await view.terms.listChanges(2, 10)).toHaveLength(1);
          expect(await view.terms.listChanges(0, 1)).toHaveLength(1);
          expect(await view.terms.listChanges(3, 10)).toEqual([]);
        });
      }));

    test("belongs to one store, which has a name of its own", () =>
      withStore(create, async (one) => {
        await withStore(create, async (other) => {
          const names = [];
          for (const under of [one, other]) {
            await under.store.commit(slotOf(1));
            names.push(await withView(under, (view) => view.terms.storeId));
          }
          expect(names[0]).toBeTruthy();
          expect(names[0]).not.toBe(names[1]);
        });
      }));
  });
};
