import { programAddresses, treeTopOf } from "@lamplight/codecs";
import type { Account, IndexStore } from "@lamplight/core";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { TreeTops } from "./tree-tops.ts";

const DEPTH = 5;
const LOG_BYTES = 32 * (DEPTH + 1) + 8;
/** Nodes of the four levels below the root. */
const CANOPY_BYTES = 32 * 30;
/** One of these tops counts so much, by `TOP_BYTES`. */
const COUNTED_BYTES = 512 + CANOPY_BYTES;

/** A tree account whose buffer has one change log. Its root and its canopy are filled with a number. */
const treeAt = (name: string, slot: number, filler = slot): Account => {
  const data = new Uint8Array(80 + 2 * LOG_BYTES + CANOPY_BYTES);
  data[0] = 1;
  const numbers = new DataView(data.buffer);
  numbers.setUint32(2, 1, true);
  numbers.setUint32(6, DEPTH, true);
  data.fill(filler, 80, 80 + 32);
  data.fill(filler, 80 + 2 * LOG_BYTES);
  return accountOf(name, { programOwner: programAddresses.splAccountCompression, data, slot });
};

const names = ["a", "b", "c", "d"];

describeWithPostgres("tops of trees that a reader caches", (under) => {
  let store: IndexStore;
  let session: Session;
  const programs = new ProgramDictionary();

  beforeEach(async () => {
    const url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    const others = [accountOf("no tree", { data: new Uint8Array(4096) })];
    await store.commit(slotOf(1, [...names.map((name) => treeAt(name, 1)), ...others]));
    session = await Session.open(parsePostgresUrl(url), { role: "reader", statementTimeoutMs: 0 });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await session.close();
    await store.close();
  });

  /** Reads the tops of these accounts in turn; names those whose account was read. */
  const readOf = async (tops: TreeTops, asked: readonly string[]): Promise<readonly string[]> => {
    const get = vi.spyOn(session, "get");
    const read: string[] = [];
    for (const name of asked) {
      get.mockClear();
      await tops.read(session, programs, addressOf(name));
      // The version is always read, and the account behind it only where it is not cached.
      if (get.mock.calls.length > 1) read.push(name);
    }
    return read;
  };

  test("answers from the cache what the account says", async () => {
    const tops = new TreeTops();
    const wanted = treeTopOf(treeAt("a", 1));
    expect(wanted).toMatchObject({ depth: DEPTH, canopyDepth: 4 });
    for (let time = 0; time < 2; time += 1)
      expect(await tops.read(session, programs, addressOf("a"))).toEqual(wanted);
    expect(await tops.read(session, programs, addressOf("missing"))).toBeNull();
    expect(await readOf(tops, ["a", "missing"])).toEqual([]);
  });

  test("drops the least recently used over its bound, and no other", async () => {
    const tops = new TreeTops(3 * COUNTED_BYTES);
    expect(await readOf(tops, ["a", "b", "c", "a", "b", "c"])).toEqual(["a", "b", "c"]);
    // The use of `a` leaves `b` as the oldest.
    expect(await readOf(tops, ["a", "d", "a", "c", "d"])).toEqual(["d"]);
    expect(await readOf(tops, ["b", "a"])).toEqual(["b", "a"]);
  });

  test("caches one top less where its bound is one byte less", async () => {
    const tops = new TreeTops(3 * COUNTED_BYTES - 1);
    expect(await readOf(tops, ["a", "b", "c", "b", "c", "a"])).toEqual(["a", "b", "c", "a"]);
  });

  test("caches no top that is over its bound alone, and keeps the others then", async () => {
    const none = new TreeTops(COUNTED_BYTES - 1);
    expect(await readOf(none, ["a", "a"])).toEqual(["a", "a"]);
    // An account that is no tree has no canopy, and is counted all the same.
    expect(await readOf(none, ["no tree", "a", "no tree"])).toEqual(["no tree", "a"]);
  });

  test("reads a changed tree again, and counts its two versions once", async () => {
    const tops = new TreeTops(2 * COUNTED_BYTES);
    expect(await readOf(tops, ["a", "b"])).toEqual(["a", "b"]);
    for (const slot of [2, 3]) {
      await store.commit(slotOf(slot, [treeAt("a", slot)]));
      expect(await readOf(tops, ["a"])).toEqual(["a"]);
      expect(await tops.read(session, programs, addressOf("a"))).toEqual(treeTopOf(treeAt("a", slot)));
    }
    expect(await readOf(tops, ["b", "a"])).toEqual([]);
  });
});
