import { describe, expect, test } from "vitest";
import type { Account } from "@lamplight/core";
import { at, closedAt, emptiedAt, key, mint } from "../../test/encode-accounts.ts";
import { mergeVersion } from "./merge-version.ts";

const outlives = (account: Account): boolean => account.data.length > 1;
const living = mint(key(1), 10);

describe("mergeVersion", () => {
  test("keeps the newest version", () => {
    const state = mergeVersion(null, living, outlives);
    expect(mergeVersion(state, at(living, 9), outlives)).toBe(state);
    expect(mergeVersion(state, at(living, 11), outlives)).toEqual({
      current: at(living, 11),
      lastLife: null,
    });
  });

  test("within a slot the higher write version counts", () => {
    const state = mergeVersion(null, { ...living, writeVersion: 5 }, outlives);
    expect(mergeVersion(state, { ...living, writeVersion: 4, lamports: 7n }, outlives)).toBe(state);
    expect(mergeVersion(state, { ...living, writeVersion: 6 }, outlives).current.writeVersion).toBe(6);
  });

  test("of equal versions the later arrival counts; the same again changes nothing", () => {
    const state = mergeVersion(null, living, outlives);
    expect(mergeVersion(state, { ...living, data: living.data.slice() }, outlives)).toBe(state);
    expect(mergeVersion(state, { ...living, lamports: 7n }, outlives).current.lamports).toBe(7n);
  });

  test.each([closedAt(living, 20), emptiedAt(living, 20)])(
    "the last life stays, whichever comes first",
    (end) => {
      const expected = { current: end, lastLife: living };
      expect(mergeVersion({ current: living, lastLife: null }, end, outlives)).toEqual(expected);
      expect(mergeVersion({ current: end, lastLife: null }, living, outlives)).toEqual(expected);
      expect(mergeVersion({ current: end, lastLife: at(living, 5) }, living, outlives)).toEqual(expected);
      const state = { current: end, lastLife: living };
      expect(mergeVersion(state, at(living, 5), outlives)).toBe(state);
    },
  );

  test("a new life ends the memory of the old one, and becomes the memory of the next end", () => {
    const state = { current: closedAt(living, 20), lastLife: living };
    const reborn = mergeVersion(state, at(living, 30), outlives);
    expect(reborn).toEqual({ current: at(living, 30), lastLife: null });
    expect(mergeVersion(reborn, closedAt(living, 40), outlives).lastLife).toEqual(at(living, 30));
  });

  test("lives that nobody needs are not kept", () => {
    expect(mergeVersion({ current: living, lastLife: null }, closedAt(living, 20), () => false)).toEqual({
      current: closedAt(living, 20),
      lastLife: null,
    });
  });
});
