import {
  type Asset,
  type AssetQuery,
  deriveAccountFacts,
  encodeAssetCursor,
  type ReadView,
  reads,
} from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenAccountOf, writeOf } from "../chain/accounts.ts";
import { addressOf, addressText, compareAddresses } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { assetNames, assets, criteria, holdings, queries } from "../search/search-arbitraries.ts";
import { compareBy, matchesQuery, meets, type SearchWorld } from "../search/search-model.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

/** `npm test` runs few worlds; the chaos bench asks for thousands. */
const SEARCH_RUNS = Number(process.env["LAMPLIGHT_SEARCH_RUNS"] ?? 60);

/** Two slots of assets and holdings: what the second does not touch stays as the first wrote it. */
const worlds = fc.record({
  first: fc.uniqueArray(assets, { selector: (one) => addressText(one.id), minLength: 5, maxLength: 40 }),
  second: fc.uniqueArray(assets, { selector: (one) => addressText(one.id), maxLength: 10 }),
  removed: fc.uniqueArray(fc.constantFrom(...assetNames), { maxLength: 4 }),
  held: fc.uniqueArray(holdings, { selector: (one) => one.which, maxLength: 13 }),
  heldLater: fc.uniqueArray(holdings, { selector: (one) => one.which, maxLength: 5 }),
});

type WorldParts = typeof worlds extends fc.Arbitrary<infer Parts> ? Parts : never;

const buildWorld = async (under: StoreUnderTest, parts: WorldParts): Promise<SearchWorld> => {
  const tokenAccounts = (held: WorldParts["held"], slot: number) =>
    held.map(({ which, owner, mint, amount }) =>
      tokenAccountOf(`holding ${which}`, { mint, tokenOwner: owner, amount }, { slot }),
    );
  const [before, after] = [tokenAccounts(parts.held, 1), tokenAccounts(parts.heldLater, 2)];
  await under.store.commit(slotOf(1, { assets: parts.first, accounts: before.map((one) => writeOf(one)) }));
  const assetsRemoved = parts.removed.map((which) => assetOf(which).id);
  const second = parts.second.filter(
    (one) => !assetsRemoved.some((id) => compareAddresses(id, one.id) === 0),
  );
  await under.store.commit(
    slotOf(2, { assets: second, assetsRemoved, accounts: after.map((one) => writeOf(one)) }),
  );
  const newest = new Map([...before, ...after].map((one) => [addressText(one.address), one]));
  return {
    assets: await worldAssets(under, [...parts.first, ...second], assetsRemoved),
    holdings: [...newest.values()].flatMap((one) => deriveAccountFacts(one).holding ?? []),
  };
};

/** The newest version of each asset that was not removed, with the number the store gave it. */
const worldAssets = async (
  under: StoreUnderTest,
  written: readonly Asset[],
  removed: readonly Uint8Array[],
): Promise<SearchWorld["assets"]> => {
  const newest = new Map(written.map((one) => [addressText(one.id), one]));
  for (const id of removed) newest.delete(addressText(id));
  return withView(under, async (view) =>
    Promise.all(
      [...newest.values()].map(async (asset) => {
        const [facts] = await view.terms.readFacts([asset.id]);
        expect(facts).not.toBeNull();
        return { ...asset, ordinal: facts?.ordinal ?? -1 };
      }),
    ),
  );
};

/** Ordinals of all matches in the order of the query. */
const orderedMatches = (query: AssetQuery, world: SearchWorld): SearchWorld["assets"] => {
  const sign = query.direction === "asc" ? 1 : -1;
  return world.assets
    .filter((asset) => matchesQuery(asset, query, world))
    .toSorted((a, b) => sign * compareBy(query.sort, a, b));
};

/** The page that the port's sentences describe; null = the start names no existing asset. */
const expectedPage = (query: AssetQuery, world: SearchWorld): SearchWorld["assets"] | null => {
  const ordered = orderedMatches(query, world);
  const { start, limit } = query;
  if (start.kind === "cursor" || start.kind === "place")
    throw new Error(`a ${start.kind} is walked from, not modelled`);
  if (start.kind === "page") return ordered.slice((start.page - 1) * limit, start.page * limit);
  if (start.kind === "offset") return ordered.slice(start.offset, start.offset + limit);
  const named = world.assets.find((asset) => compareAddresses(asset.id, start.id) === 0);
  if (named === undefined) return null;
  const sign = query.direction === "asc" ? 1 : -1;
  const side = (asset: SearchWorld["assets"][number]) => sign * compareBy(query.sort, asset, named);
  return start.kind === "after"
    ? ordered.filter((asset) => side(asset) > 0).slice(0, limit)
    : ordered.filter((asset) => side(asset) < 0).slice(-limit);
};

/** `none` is any stable order: here it must be the order of the numbers, one way or the other. */
const checkQuery = async (view: ReadView, query: AssetQuery, world: SearchWorld): Promise<void> => {
  const expected = expectedPage(query, world);
  const search = async () => view.read(reads.search(query));
  if (expected === null) {
    const { kind } = query.start;
    await expect(search()).rejects.toThrow(`Invalid params: ${kind} is not a known asset`);
    return;
  }
  const page = await search();
  expect(page.total).toBe(orderedMatches(query, world).length);
  expect(page.ordinals).toEqual(expected.map((asset) => asset.ordinal));
  const last = expected.at(-1);
  expect(page.cursor !== null).toBe(last !== undefined && last !== orderedMatches(query, world).at(-1));
};

/** Every page after the other by cursor: all matches once, in order. */
const checkWalk = async (view: ReadView, query: AssetQuery, world: SearchWorld): Promise<void> => {
  const expected = orderedMatches(query, world).map((asset) => asset.ordinal);
  const limit = Math.max(query.limit, 5);
  const found: number[] = [];
  let page = await view.read(reads.search({ ...query, limit, start: { kind: "page", page: 1 } }));
  for (;;) {
    expect(page.total).toBe(expected.length);
    found.push(...page.ordinals);
    if (page.cursor === null || found.length > expected.length) break;
    page = await view.read(
      reads.search({
        ...query,
        limit,
        start: { kind: "cursor", cursor: page.cursor },
      }),
    );
  }
  expect(found).toEqual(expected);
};

export const describeSearch = (create: CreateStore, runs: number = SEARCH_RUNS): void => {
  describe("search", () => {
    test("equals a naive filter, for any assets, criteria, orders and starts", async () => {
      await fc.assert(
        fc.asyncProperty(
          worlds,
          fc.array(queries, { minLength: 40, maxLength: 60 }),
          async (parts, asked) => {
            await withStore(create, async (under) => {
              const world = await buildWorld(under, parts);
              await withView(under, async (view) => {
                for (const query of asked) await checkQuery(view, query, world);
                for (const query of asked.slice(0, 10)) await checkWalk(view, query, world);
              });
            });
          },
        ),
        { numRuns: runs },
      );
    });

    test("finds by each criterion alone, and numbers too, up to a limit", async () => {
      await fc.assert(
        fc.asyncProperty(
          worlds,
          fc.array(criteria, { minLength: 40, maxLength: 60 }),
          async (parts, asked) => {
            await withStore(create, async (under) => {
              const world = await buildWorld(under, parts);
              await withView(under, async (view) => {
                for (const criterion of asked) {
                  const expected = world.assets
                    .filter((asset) => meets(asset, criterion, world))
                    .map((asset) => asset.ordinal)
                    .toSorted((a, b) => a - b);
                  const { length } = expected;
                  expect(await view.terms.listOrdinals(criterion, length)).toEqual(
                    Uint32Array.from(expected),
                  );
                  expect(await view.terms.listOrdinals(criterion, 1000)).toEqual(Uint32Array.from(expected));
                  if (length > 0) expect(await view.terms.listOrdinals(criterion, length - 1)).toBeNull();
                  if (criterion.kind !== "name") continue;
                  const all = Uint32Array.from(world.assets, (asset) => asset.ordinal).toSorted();
                  expect(await view.terms.filterByName(all, criterion.name)).toEqual(
                    Uint32Array.from(expected),
                  );
                }
              });
            });
          },
        ),
        { numRuns: Math.ceil(runs / 2) },
      );
    });

    describeStarts(create);
  });
};

const plain: AssetQuery = {
  criteria: [],
  match: "all",
  negate: false,
  sort: "created",
  direction: "asc",
  start: { kind: "page", page: 1 },
  limit: 2,
};

const describeStarts = (create: CreateStore): void => {
  test("a cursor carries its position: the walk goes on when the asset is gone", () =>
    withStore(create, async (under) => {
      const world = Array.from({ length: 6 }, (_, index) => assetOf(index, { createdSlot: 10 + index }));
      const { ordinals } = await under.store.commit(slotOf(1, { assets: world }));
      const first = await withView(under, (view) => view.read(reads.search(plain)));
      expect(first.ordinals).toEqual(ordinals.slice(0, 2));
      await under.store.commit(slotOf(2, { assetsRemoved: [assetOf(1).id] }));
      const start = { kind: "cursor", cursor: first.cursor ?? "" } as const;
      const second = await withView(under, (view) => view.read(reads.search({ ...plain, start })));
      expect(second.ordinals).toEqual(ordinals.slice(2, 4));
      expect(second.total).toBe(5);
    }));

  test("refuses a broken cursor, one of another order, and an asset that does not exist", () =>
    withStore(create, async (under) => {
      await under.store.commit(slotOf(1, { assets: [assetOf(1)] }));
      const other = { sort: "updated", direction: "asc", position: 1, id: addressOf(1) } as const;
      const starts: readonly AssetQuery["start"][] = [
        { kind: "cursor", cursor: "" },
        { kind: "cursor", cursor: "nonsense" },
        { kind: "cursor", cursor: encodeAssetCursor(other) },
      ];
      await withView(under, async (view) => {
        for (const start of starts) {
          const search = async () => view.read(reads.search({ ...plain, start }));
          await expect(search(), JSON.stringify(start)).rejects.toMatchObject({ code: "PARAM__INVALID" });
        }
        // The words are part of it: callers must not see which reader answered.
        for (const kind of ["after", "before"] as const) {
          const search = async () =>
            view.read(reads.search({ ...plain, start: { kind, id: addressOf("unknown") } }));
          await expect(search()).rejects.toThrow(`Invalid params: ${kind} is not a known asset`);
        }
      });
    }));

  test("matches everything without criteria, and nothing when that is negated", () =>
    withStore(create, async (under) => {
      await under.store.commit(slotOf(1, { assets: [1, 2, 3].map((name) => assetOf(name)) }));
      await withView(under, async (view) => {
        expect((await view.read(reads.search(plain))).total).toBe(3);
        for (const match of ["all", "any"] as const) {
          const page = await view.read(reads.search({ ...plain, match, negate: true }));
          expect(page).toEqual({ total: 0, ordinals: [], cursor: null });
        }
      });
    }));
};
