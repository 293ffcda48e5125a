import { type Asset, DERIVATION, type NextRow } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { type CreateStore, slotOf, withStore } from "../store-under-test.ts";

/** More than a store replaces at a time. */
const ASSETS = 2500;

const creator = (name: string, verified = false) => ({ address: addressOf(name), verified, share: 50 });
const group = (value: string) => ({ key: "collection", value, verified: true });

/** What new rules may make of an asset. */
const changes: readonly ((asset: Asset) => Asset | null)[] = [
  (asset) => asset,
  (asset) => ({ ...asset, document: `{"next":${asset.document}}`, extras: '{"token_info":{}}' }),
  (asset) => ({ ...asset, assetOwner: null, supply: 2n ** 64n - 1n, name: "", jsonUri: "ipfs://next" }),
  (asset) => ({ ...asset, creators: asset.creators.slice(0, 1), groups: [] }),
  (asset) => ({ ...asset, creators: [creator("c"), ...asset.creators], groups: [group("x"), group("y")] }),
  (asset) => ({ ...asset, creators: asset.creators.map((one) => ({ ...one, verified: !one.verified })) }),
  () => null,
];

const plain = ({ ordinal: _ordinal, ...asset }: Asset & { readonly ordinal: number }): Asset => asset;
const byId = (assets: readonly Asset[]): readonly Asset[] =>
  assets.toSorted((one, other) => Buffer.compare(one.id, other.id));

/** Replacing the assets of a store by those of the next set. */
export const describeNextSet = (create: CreateStore): void => {
  describe("a next set", () => {
    test("of many pages replaces, adds and removes assets, and none that the last changes have", () =>
      withStore(create, async ({ store }) => {
        const nextSet = store.nextSet!;
        const known = Array.from({ length: ASSETS }, (_, index) =>
          assetOf(index, { creators: [creator("a", true), creator("b")], groups: [group("g")] }),
        );
        const added = Array.from({ length: 10 }, (_, index) => assetOf(`added ${index}`));
        const before = await store.commit(slotOf(1, { assets: known }));
        const kept = new Map((await store.readAssetPage(0, ASSETS)).map((one) => [plain(one).name, one]));
        const next = new Map<string, Asset | null>(added.map((asset) => [idOf(asset), asset]));
        for (const [index, asset] of known.entries())
          next.set(idOf(asset), changes[index % changes.length]!(asset));
        const rows = [...added, ...known]
          .filter((asset) => next.get(idOf(asset)) !== asset || added.includes(asset))
          .map((asset): NextRow => ({ id: asset.id, body: asset.id }));
        await nextSet.begin(DERIVATION);
        await nextSet.fill(rows, { version: DERIVATION, after: null, isFilled: true });
        const newest = { ...known[1]!, document: '{"newest":true}' };
        const removed = known[2]!;
        const last = slotOf(2, { assets: [newest], assetsRemoved: [removed.id] });
        const after = await nextSet.finish(
          DERIVATION,
          last,
          (body) => next.get(Buffer.from(body).toString("hex")) ?? null,
        );
        next.set(idOf(newest), newest).set(idOf(removed), null);
        const expected = [...next.values()].filter((asset) => asset !== null);
        const found = await store.readAssetPage(0, 2 * ASSETS);
        expect(byId(found.map(plain))).toEqual(byId(expected));
        for (const { name, ordinal } of found)
          if (kept.has(name)) expect([name, ordinal]).toEqual([name, kept.get(name)!.ordinal]);
        expect(new Set(found.map(({ ordinal }) => ordinal)).size).toBe(expected.length);
        const changed = await store.readAssetsChangedSince(before.changeSeq, 2 * ASSETS);
        const same = known.filter((asset) => next.get(idOf(asset)) === asset);
        expect(changed.length).toBe(expected.length - same.length);
        expect(Math.max(...changed.map(({ changeSeq }) => changeSeq))).toBeLessThanOrEqual(after.changeSeq);
        expect(await store.readDerivation()).toEqual({ version: DERIVATION, next: null });
        expect(await store.checkIntegrity()).toEqual([]);
      }));
  });
};

const idOf = ({ id }: Asset): string => Buffer.from(id).toString("hex");
