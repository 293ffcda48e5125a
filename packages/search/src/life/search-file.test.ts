import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssetChange, REMOVALS_KEPT_CHANGES, type TermReader } from "@lamplight/core";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { runThrough } from "../slices.ts";
import { SearchIndex } from "../search-index.ts";
import { inBrief } from "../terms/brief-facts.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stateOf as baseStateOf } from "../../test/index-state.ts";
import { isPartOf, loadIndexFile, saveIndexFile, searchFileOf } from "./search-file.ts";

const storeText = "store";
/** More than one part per column and per set, and both kinds of blocks. */
const ASSETS = 150_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "search-file-"));
  file = join(folder, "demo.search");
});
afterEach(() => rmSync(folder, { recursive: true }));

const change = (ordinal: number): AssetChange => {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, Math.imul(ordinal, 2_654_435_761));
  return {
    ordinal,
    changeSeq: ordinal + 1,
    facts: {
      id,
      interface: "V1_NFT",
      ownerModel: "single",
      assetOwner: null,
      delegate: null,
      authority: null,
      supply: 1n,
      supplyMint: null,
      royaltyModel: "creators",
      basisPoints: 0,
      creators: [],
      groups: [],
      inherits: null,
      compressed: ordinal % 2 === 0,
      compressible: false,
      frozen: ordinal % 100 === 0,
      burnt: false,
      mutable: true,
      name: "",
      jsonUri: "",
      tree: null,
      leafIndex: null,
      createdSlot: ordinal % 1000,
      // Some fit no 32 bits.
      updatedSlot: (ordinal % 100 === 0 ? 2 ** 40 : 0) + (ordinal % 777),
    },
  };
};

const indexOf = (assets: number): SearchIndex => {
  const index = new SearchIndex();
  index.startFill();
  index.applyFill(
    Array.from({ length: assets }, (_, ordinal) => inBrief(change(ordinal))),
    assets,
    true,
  );
  for (const ordinal of runThrough(index.sortFill()))
    index.columns.tied.set(ordinal, change(ordinal).facts!.id);
  runThrough(index.endFill());
  index.promote({ kind: "jsonUri", value: "a" }, OrdinalSet.fromSorted([1, 5, assets - 1]));
  return index;
};

/** Saves and loads for one store without a history, which is at a change. */
const save = (index: SearchIndex): Promise<boolean> =>
  saveIndexFile(file, () => ({ storeId: storeText, writer: null }), index);
const load = async (changeSeq: number, storeId = storeText): Promise<SearchIndex | null> => {
  const terms = { storeId, changeSeq } as TermReader;
  return (await loadIndexFile(file, (saved) => isPartOf(saved, { terms })))?.index ?? null;
};

const stateOf = (index: SearchIndex): unknown => ({
  ...baseStateOf(index),
  columns: runThrough(index.columns.dump()),
});

test("is next to its store, also where a link names that", () => {
  const [store, link] = [join(folder, "store.db"), join(folder, "link.db")];
  symlinkSync(store, link);
  writeFileSync(store, storeText);
  expect(searchFileOf(link)).toBe(`${store}.search`);
});

describe("saveIndexFile", () => {
  test("an index comes back as it was saved", async () => {
    const index = indexOf(ASSETS);
    await save(index);
    const loaded = await load(ASSETS);
    expect(stateOf(loaded!)).toEqual(stateOf(index));
    expect(existsSync(`${file}.partial`)).toBe(false);
  });

  test("what changed while it was saved is missing, and is taken in again before it answers", async () => {
    const index = indexOf(5000);
    const changes = [{ ...change(7), facts: null }, change(9), change(6000)];
    const noteChanges = index.noteChanges.bind(index);
    // The first thing a copy does: they come after its first slice.
    index.noteChanges = (note) => {
      setImmediate(() => index.apply(changes, 5003));
      return noteChanges(note);
    };
    await save(index);
    const loaded = (await load(5003))!;
    expect(loaded.changeSeq).toBe(5000);
    expect([loaded.isAt(5000), loaded.isAt(5003)]).toEqual([false, false]);
    expect([7, 9, 6000].filter((ordinal) => loaded.existing.has(ordinal))).toEqual([]);
    loaded.apply(changes, 5003);
    expect(loaded.isAt(5003)).toBe(true);
    expect(stateOf(loaded)).toEqual(stateOf(index));
    // A store that lost those changes would never report them again.
    expect(await load(5002)).toBeNull();
  });

  test("a crash while saving leaves the file of before", async () => {
    const index = indexOf(3000);
    await save(index);
    const partial = `${file}.partial`;
    writeFileSync(partial, readFileSync(file).subarray(0, 1000));
    expect(stateOf((await load(3000))!)).toEqual(stateOf(index));
    // It may be another process that is writing it.
    expect(await save(index)).toBe(false);
    utimesSync(partial, 0, Date.now() / 1000 - 301);
    expect(await save(index)).toBe(true);
    expect(existsSync(partial)).toBe(false);
  });

  test("one of many that save at a time does, and the file is whole", async () => {
    const index = indexOf(3000);
    const saves = await Promise.all(Array.from({ length: 8 }, () => save(index)));
    expect(saves.filter((isSaved) => isSaved)).toHaveLength(1);
    expect(stateOf((await load(3000))!)).toEqual(stateOf(index));
    expect(readdirSync(folder)).toEqual(["demo.search"]);
  });

  test("makes the folder that only its user may read", async () => {
    file = join(folder, "cache", "lamplight", "demo.search");
    expect(await save(indexOf(10))).toBe(true);
    expect(statSync(join(folder, "cache", "lamplight")).mode & 0o777).toBe(0o700);
  });
});

describe("loadIndexFile", () => {
  test("takes nothing over that is absent, of another store, or ahead of the store", async () => {
    expect(await load(10)).toBeNull();
    await save(indexOf(1000));
    expect(await load(1000, "other")).toBeNull();
    expect(await load(999)).toBeNull();
    expect(await load(1000)).not.toBeNull();
  });

  test("notices a file cut off anywhere, and a bit turned anywhere", async () => {
    await save(indexOf(1000));
    const whole = readFileSync(file);
    for (const length of [0, 3, 40, 1000, whole.length - 33, whole.length - 1]) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      expect(await load(1000)).toBeNull();
    }
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 50)) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1 << (at % 8);
      writeFileSync(file, bytes);
      expect(await load(1000)).toBeNull();
    }
  });
});

describe("isPartOf", () => {
  const state = { storeId: storeText, writer: "b", changeSeq: 10, doneSeq: 12 };
  /** Writers and where each began; the last one has written up to `changeSeq`. */
  const storeOf = (writers: readonly (readonly [string, number])[], changeSeq: number) => ({
    terms: {
      storeId: storeText,
      changeSeq,
      history: {
        writer: writers.at(-1)![0],
        through: async (writer: string) => {
          const at = writers.findIndex(([name]) => name === writer);
          return at === -1 ? null : (writers[at + 1]?.[1] ?? Infinity);
        },
      },
    } as unknown as TermReader,
  });

  test.each([
    [
      "goes on with the same writer",
      [
        ["a", 0],
        ["b", 5],
      ],
      20,
      true,
    ],
    [
      "goes on with a later one",
      [
        ["a", 0],
        ["b", 5],
        ["c", 12],
      ],
      20,
      true,
    ],
    [
      "never had that writer",
      [
        ["a", 0],
        ["c", 5],
      ],
      20,
      false,
    ],
    [
      "was put back behind what the file holds, and written on",
      [
        ["b", 0],
        ["c", 11],
      ],
      20,
      false,
    ],
    ["was put back behind what the file holds", [["b", 0]], 11, false],
    ["tells no more what was removed since", [["b", 0]], REMOVALS_KEPT_CHANGES + 11, false],
  ] as const)("of a store that %s", async (_, writers, changeSeq, isPart) => {
    expect(await isPartOf(state, storeOf(writers, changeSeq))).toBe(isPart);
  });

  test("takes no file without a writer for a store with a history, and the other way round", async () => {
    expect(await isPartOf({ ...state, writer: null }, storeOf([["b", 0]], 20))).toBe(false);
    expect(await isPartOf(state, { terms: { storeId: storeText, changeSeq: 20 } as TermReader })).toBe(false);
  });
});
