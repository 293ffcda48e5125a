import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AssetPage, AssetQuery, SortKey } from "../domain/search.ts";
import type { AssetPosition } from "../ports/term-reader.ts";
import { comparePlaces, placeIn, type SortOrder } from "./asset-place.ts";
import { cutPage, pageOf, type PageReader } from "./cut-page.ts";
import { patchPages } from "./patch-page.ts";
import { atOnce, resultOf, waitFor, waitForResult } from "./waits.ts";

const sorts: readonly SortKey[] = ["id", "created", "updated", "none"];
const rowOf = (ordinal: number, [which, slot]: readonly [number, number]): AssetPosition => ({
  ordinal,
  id: Uint8Array.of(which),
  createdSlot: slot,
  updatedSlot: (slot * 7) % 5,
});

const inOrder = (order: SortOrder, rows: readonly AssetPosition[]): AssetPosition[] =>
  rows.toSorted((a, b) => comparePlaces(order, placeIn(order.sort, a), placeIn(order.sort, b)));

/** Reads a list by slicing it. */
const readerOf = (
  sort: SortKey,
  rows: readonly AssetPosition[],
  all: readonly AssetPosition[],
): PageReader<AssetPosition> => ({
  count: () => atOnce(rows.length),
  read: ({ direction, from, limit }) => {
    const order = { sort, direction };
    const ordered = inOrder(order, rows);
    return atOnce(
      typeof from === "number"
        ? ordered.slice(from, from + limit)
        : ordered.filter((row) => comparePlaces(order, placeIn(sort, row), from) > 0).slice(0, limit),
    );
  },
  findPlace: (id) => {
    const found = all.find((row) => Buffer.compare(row.id, id) === 0);
    return atOnce(found === undefined ? null : placeIn(sort, found));
  },
  ordinalOf: ({ ordinal }) => ordinal,
  placeOf: (row) => placeIn(sort, row),
});

/** Reads the same later. */
const laterOf = (reader: PageReader<AssetPosition>): PageReader<AssetPosition, Promise<unknown>> => ({
  ...reader,
  count: () => waitFor(Promise.resolve(resultOf(reader.count()))),
  read: (window) => waitFor(Promise.resolve(resultOf(reader.read(window)))),
});

const pageNow = (reader: PageReader<AssetPosition>, query: AssetQuery): AssetPage =>
  pageOf(reader, query, resultOf(cutPage(reader, query)));

const places = fc.tuple(fc.nat({ max: 250 }), fc.nat({ max: 6 }));

describe("patched pages", () => {
  test("equal pages of the list with the changes made, for any order and start", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(places, fc.boolean(), fc.option(places), fc.boolean()), {
          selector: ([[which]]) => which,
          maxLength: 40,
        }),
        fc.constantFrom(...sorts),
        fc.constantFrom("asc" as const, "desc" as const),
        fc.integer({ min: 1, max: 9 }),
        async (drawn, sort, direction, limit) => {
          // Each asset: where it was, whether it matched, and, where it changed, where it is and whether it matches.
          const assets = drawn.map(([was, matched, moved, matches], ordinal) => ({
            before: rowOf(ordinal, was),
            after: rowOf(ordinal, [was[0], (moved ?? was)[1]]),
            isChanged: moved !== null,
            matched,
            matches: moved === null ? matched : matches,
          }));
          const found = assets.filter(({ matched }) => matched).map(({ before }) => before);
          const now = assets.map(({ after }) => after);
          const expected = assets.filter(({ matches }) => matches).map(({ after }) => after);
          const changed = assets.filter(({ isChanged }) => isChanged);
          const hidden = new Set(changed.map(({ before }) => before.ordinal));
          const patch = {
            isHidden: ({ ordinal }: AssetPosition) => hidden.has(ordinal),
            removed: changed.filter(({ matched }) => matched).map(({ before }) => before),
            added: changed.filter(({ matches }) => matches).map(({ after }) => after),
          };
          const reader = readerOf(sort, found, now);
          const patched = patchPages(reader, sort, patch);
          const later = patchPages(laterOf(reader), sort, patch);
          const plain = readerOf(sort, expected, now);
          const starts: AssetQuery["start"][] = [
            ...[1, 2, 3, 50].map((page) => ({ kind: "page", page }) as const),
            ...[0, 1, 5].map((offset) => ({ kind: "offset", offset }) as const),
            ...now
              .slice(0, 4)
              .flatMap(({ id }) => [{ kind: "after", id } as const, { kind: "before", id } as const]),
          ];
          for (const start of starts) {
            const query = {
              criteria: [],
              match: "all",
              negate: false,
              sort,
              direction,
              limit,
              start,
            } as const;
            const page = pageNow(plain, query);
            expect(pageNow(patched, query)).toEqual(page);
            expect(pageOf(later, query, await waitForResult(cutPage(later, query)))).toEqual(page);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a page", () => {
  const rows = [0, 1, 2, 3, 4].map((ordinal) => rowOf(ordinal, [ordinal, ordinal]));
  const query = {
    criteria: [],
    match: "all",
    negate: false,
    sort: "created",
    direction: "asc",
    limit: 2,
  } as const;

  test("is followed by the one that its cursor starts, to the end", () => {
    const met: number[] = [];
    let start: AssetQuery["start"] = { kind: "page", page: 1 };
    for (;;) {
      const page: AssetPage = pageNow(readerOf("created", rows, rows), { ...query, start });
      expect(page.total).toBe(5);
      met.push(...page.ordinals);
      if (page.cursor === null) break;
      start = { kind: "cursor", cursor: page.cursor };
    }
    expect(met).toEqual([0, 1, 2, 3, 4]);
  });

  test("is refused with the name of the start where no asset has that id", () => {
    for (const kind of ["after", "before"] as const)
      expect(() =>
        pageNow(readerOf("created", rows, rows), { ...query, start: { kind, id: Uint8Array.of(9) } }),
      ).toThrow(`${kind} is not a known asset`);
  });
});
