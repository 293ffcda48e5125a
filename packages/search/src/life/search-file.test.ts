import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AssetChange } from "@lamplight/core";
import { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { runThrough } from "../slices.ts";
import { SearchIndex } from "../search-index.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadIndexFile, saveIndexFile } from "./search-file.ts";

const STORE = "store";
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
      updatedSlot: 2 ** 40 + (ordinal % 777),
    },
  };
};

const indexOf = (assets: number): SearchIndex => {
  const index = new SearchIndex();
  index.startFill();
  index.apply(
    Array.from({ length: assets }, (_, ordinal) => change(ordinal)),
    assets,
  );
  runThrough(index.endFill());
  index.promote({ kind: "jsonUri", jsonUri: "a" }, OrdinalSet.fromSorted([1, 5, assets - 1]));
  return index;
};

const stateOf = (index: SearchIndex): unknown => ({
  changeSeq: index.changeSeq,
  existing: index.existing.toArray(),
  orders: (["id", "created", "updated"] as const).map((sort) => index.order(sort).toArray()),
  terms: Array.from(index.terms(), ({ criterion, members }) => [criterion, members.toArray()]),
  columns: runThrough(index.columns.dump()),
});

describe("saveIndexFile", () => {
  test("an index comes back as it was saved", async () => {
    const index = indexOf(ASSETS);
    await saveIndexFile(file, STORE, index);
    const loaded = await loadIndexFile(file, STORE, ASSETS);
    expect(stateOf(loaded!)).toEqual(stateOf(index));
    expect(existsSync(`${file}.partial`)).toBe(false);
  });

  test("what changed while it was saved is missing, and is taken in again before it answers", async () => {
    const index = indexOf(5000);
    const saving = saveIndexFile(file, STORE, index);
    const changes = [{ ...change(7), facts: null }, change(9), change(6000)];
    index.apply(changes, 5003);
    await saving;
    const loaded = (await loadIndexFile(file, STORE, 5003))!;
    expect(loaded.changeSeq).toBe(5000);
    expect([loaded.standsAt(5000), loaded.standsAt(5003)]).toEqual([false, false]);
    expect([7, 9, 6000].filter((ordinal) => loaded.existing.has(ordinal))).toEqual([]);
    loaded.apply(changes, 5003);
    expect(loaded.standsAt(5003)).toBe(true);
    expect(stateOf(loaded)).toEqual(stateOf(index));
    // A store that lost those changes would never tell them again.
    expect(await loadIndexFile(file, STORE, 5002)).toBeNull();
  });

  test("a crash while saving leaves the file of before", async () => {
    const index = indexOf(3000);
    await saveIndexFile(file, STORE, index);
    writeFileSync(`${file}.partial`, readFileSync(file).subarray(0, 1000));
    expect(stateOf((await loadIndexFile(file, STORE, 3000))!)).toEqual(stateOf(index));
    await saveIndexFile(file, STORE, index);
    expect(existsSync(`${file}.partial`)).toBe(false);
  });
});

describe("loadIndexFile", () => {
  test("takes nothing over that is absent, of another store, or ahead of the store", async () => {
    expect(await loadIndexFile(file, STORE, 10)).toBeNull();
    await saveIndexFile(file, STORE, indexOf(1000));
    expect(await loadIndexFile(file, "other", 1000)).toBeNull();
    expect(await loadIndexFile(file, STORE, 999)).toBeNull();
    expect(await loadIndexFile(file, STORE, 1000)).not.toBeNull();
  });

  test("notices a file cut off anywhere, and a bit turned anywhere", async () => {
    await saveIndexFile(file, STORE, indexOf(1000));
    const whole = readFileSync(file);
    for (const length of [0, 3, 40, 1000, whole.length - 33, whole.length - 1]) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      expect(await loadIndexFile(file, STORE, 1000)).toBeNull();
    }
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 50)) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 1 << (at % 8);
      writeFileSync(file, bytes);
      expect(await loadIndexFile(file, STORE, 1000)).toBeNull();
    }
  });
});
