import { describe, expect, test } from "vitest";
import { AssetColumns } from "../asset-columns.ts";
import { runThrough, SLICE_ENTRIES } from "../slices.ts";
import type { NumberParts } from "../number-parts.ts";
import { numbersOf, partsOf } from "../../test/parts.ts";
import { listTied, sortByPrefix, sortBySlot, sortTied } from "./sort-ordinals.ts";

/** Number of assets that makes runs of equals cross the bounds of slices. */
const ASSETS = SLICE_ENTRIES * 2 + 77;
const SEED = 20_261_121;
/** Parts of which the assets fill many. */
const PART_BITS = 10;

let state = SEED;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const ids: Uint8Array[] = [];
/** Sorts as a fill does: by prefix, and then those that share one by their whole ids. */
const sortById = (columns: AssetColumns, ordinals: Uint32Array): NumberParts => {
  const sorted = runThrough(sortByPrefix(columns, partsOf([...ordinals], PART_BITS)));
  const tied = runThrough(listTied(columns, sorted));
  for (const ordinal of tied) columns.tied.set(ordinal, ids[ordinal]!);
  runThrough(sortTied(columns, sorted));
  return sorted;
};
const byWholeId = (a: number, b: number): number => Buffer.compare(ids[a]!, ids[b]!);

/** Prefixes from few, so that many ids share one. */
const columnsOf = (prefixes: number, slotOf: () => number): AssetColumns => {
  const columns = new AssetColumns(PART_BITS);
  ids.length = 0;
  for (let ordinal = 0; ordinal < ASSETS; ordinal++) {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, random(prefixes) * 0x1000_0001);
    new DataView(id.buffer).setUint32(20, Math.imul(ordinal, 2_654_435_761));
    columns.set(ordinal, id, slotOf(), 0);
    ids.push(id);
  }
  return columns;
};

const everyThird = Uint32Array.from({ length: Math.floor(ASSETS / 3) }, (_, index) => index * 3);
const every = Uint32Array.from({ length: ASSETS }, (_, index) => index);

describe(`sorting ordinals, seed ${SEED}`, () => {
  for (const prefixes of [1, 9, 2 ** 32])
    test(`by id as a comparison does, ${prefixes} prefixes`, () => {
      const columns = columnsOf(prefixes === 1 ? 1 : Math.min(prefixes, 2 ** 28), () => 0);
      for (const ordinals of [everyThird, every.slice(0, 1), every.slice(0, 0)])
        expect(Uint32Array.from(numbersOf(sortById(columns, ordinals)))).toEqual(
          ordinals.toSorted(byWholeId),
        );
    });

  for (const [name, slotOf] of [
    ["equal", () => 7],
    ["near", () => 300_000_000 + random(5)],
    ["far apart", () => random(2 ** 21) * 2 ** 31 + random(3)],
  ] as const)
    test(`by slot, equals by id, as a comparison does: slots ${name}`, () => {
      const columns = columnsOf(9, slotOf);
      const byId = sortById(columns, every);
      const slot = (ordinal: number): number => columns.createdSlot(ordinal);
      expect(Uint32Array.from(numbersOf(runThrough(sortBySlot(byId, slot))))).toEqual(
        every.toSorted((a, b) => slot(a) - slot(b) || byWholeId(a, b)),
      );
    });
});
