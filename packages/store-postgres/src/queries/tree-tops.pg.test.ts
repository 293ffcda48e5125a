import { treePrograms } from "@lamplight/codecs";
import type { IndexStore } from "@lamplight/core";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { TreeTops } from "./tree-tops.ts";

const CANOPY_BYTES = 1000;
const names = ["oak", "elm", "fir"];

/** The data of an account of a tree with 8 leaves at most, which keeps one change. */
const treeData = (canopyByte: number): Uint8Array => {
  const head = Buffer.alloc(80 + 2 * (32 * 4 + 8));
  head.set([1, 0, 1, 0, 0, 0, 3]);
  return Buffer.concat([head, Buffer.alloc(CANOPY_BYTES, canopyByte)]);
};

const treesOf = (slot: number, canopyByte: number) =>
  slotOf(
    slot,
    names.map((name) => accountOf(name, { programOwner: treePrograms[0]!, data: treeData(canopyByte) })),
  );

describeWithPostgres("tops of trees", (under) => {
  let store: IndexStore;
  let session: Session;
  let wholeAccounts: number;

  beforeEach(async () => {
    const url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await store.commit(treesOf(1, 1));
    session = await Session.open(parsePostgresUrl(url), { role: "writer" });
    wholeAccounts = 0;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await session.close();
    await store.close();
  });

  /** The canopy's bytes of these trees. Counts how many whole accounts are read, next to the version of each. */
  const read = async (tops: TreeTops, asked: readonly string[]): Promise<readonly unknown[]> => {
    const get = vi.spyOn(Session.prototype, "get");
    const programs = new ProgramDictionary();
    const bytes: unknown[] = [];
    for (const name of asked) bytes.push((await tops.read(session, programs, addressOf(name)))?.canopy[0]);
    wholeAccounts += get.mock.calls.length - asked.length;
    get.mockRestore();
    return bytes;
  };

  test("are cached up to their bound, and the least recently used is read again", async () => {
    const tops = new TreeTops(2 * (CANOPY_BYTES + 512));
    expect(await read(tops, ["oak", "elm", "oak", "elm"])).toEqual([1, 1, 1, 1]);
    expect(wholeAccounts).toBe(2);
    // Oak is used before fir comes, so that elm is dropped.
    await read(tops, ["oak", "fir", "oak"]);
    expect(wholeAccounts).toBe(3);
    await read(tops, ["elm"]);
    expect(wholeAccounts).toBe(4);
    await read(tops, ["oak", "elm"]);
    expect(wholeAccounts).toBe(4);
  });

  test("are read again when their account has changed, also where nothing fits", async () => {
    const [tops, none] = [new TreeTops(), new TreeTops(CANOPY_BYTES)];
    expect(await read(tops, names)).toEqual([1, 1, 1]);
    expect(await read(none, ["oak", "oak"])).toEqual([1, 1]);
    expect(wholeAccounts).toBe(5);
    await store.commit(treesOf(2, 2));
    expect(await read(tops, [...names, ...names])).toEqual([2, 2, 2, 2, 2, 2]);
    expect(await read(none, ["oak"])).toEqual([2]);
    expect(wholeAccounts).toBe(9);
    expect(await read(tops, ["no tree"])).toEqual([undefined]);
  });
});
