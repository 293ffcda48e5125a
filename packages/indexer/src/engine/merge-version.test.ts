import type { Account, AccountState } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, closedAt, emptiedAt, key, mint } from "../../test/encode-accounts.ts";
import { changedState, type LifeRank, lifeRanks, versionsOf, withVersion } from "./merge-version.ts";

/** The state after one more version has arrived; the same object when it changes nothing. */
const mergeVersion = (known: AccountState | null, incoming: Account, rank: typeof rankOf): AccountState =>
  changedState(known, withVersion(versionsOf(known), incoming), rank);

/** The rank depends on the number of bytes: none, one, more. */
const rankOf = ({ data }: Account): LifeRank => {
  if (data.length === 0) return lifeRanks.none;
  return data.length === 1 ? lifeRanks.emptied : lifeRanks.life;
};
const merged = (order: readonly Account[]) =>
  order.reduce<AccountState | null>((state, one) => mergeVersion(state, one, rankOf), null);

const living = mint(key(1), 10);

describe("changedState", () => {
  test("keeps the newest version", () => {
    const state = mergeVersion(null, living, rankOf);
    expect(mergeVersion(state, at(living, 9), rankOf)).toBe(state);
    expect(mergeVersion(state, at(living, 11), rankOf)).toEqual({
      current: at(living, 11),
      lastLife: null,
    });
  });

  test("within a slot the higher write version counts", () => {
    const state = mergeVersion(null, { ...living, writeVersion: 5 }, rankOf);
    expect(mergeVersion(state, { ...living, writeVersion: 4, lamports: 7n }, rankOf)).toBe(state);
    expect(mergeVersion(state, { ...living, writeVersion: 6 }, rankOf).current.writeVersion).toBe(6);
  });

  test("of equal versions the later arrival counts; the same again changes nothing", () => {
    const state = mergeVersion(null, living, rankOf);
    expect(mergeVersion(state, { ...living, data: living.data.slice() }, rankOf)).toBe(state);
    expect(mergeVersion(state, { ...living, lamports: 7n }, rankOf).current.lamports).toBe(7n);
  });

  test.each([closedAt(living, 20), emptiedAt(living, 20)])(
    "the last life stays, whichever comes first",
    (end) => {
      const expected = { current: end, lastLife: living };
      expect(mergeVersion({ current: living, lastLife: null }, end, rankOf)).toEqual(expected);
      expect(mergeVersion({ current: end, lastLife: null }, living, rankOf)).toEqual(expected);
      expect(mergeVersion({ current: end, lastLife: at(living, 5) }, living, rankOf)).toEqual(expected);
      const state = { current: end, lastLife: living };
      expect(mergeVersion(state, at(living, 5), rankOf)).toBe(state);
    },
  );

  test("a new life ends the memory of the old one, and becomes the memory of the next end", () => {
    const state = { current: closedAt(living, 20), lastLife: living };
    const reborn = mergeVersion(state, at(living, 30), rankOf);
    expect(reborn).toEqual({ current: at(living, 30), lastLife: null });
    expect(mergeVersion(reborn, closedAt(living, 40), rankOf).lastLife).toEqual(at(living, 30));
  });

  test("lives that no one needs are not kept", () => {
    expect(
      mergeVersion({ current: living, lastLife: null }, closedAt(living, 20), () => lifeRanks.none),
    ).toEqual({
      current: closedAt(living, 20),
      lastLife: null,
    });
  });

  test("an emptied account is kept where no life is, and gives way to one that comes late", () => {
    const emptied = emptiedAt(living, 20);
    const closed = closedAt(living, 30);
    const ended = mergeVersion({ current: emptied, lastLife: null }, closed, rankOf);
    expect(ended).toEqual({ current: closed, lastLife: emptied });
    expect(mergeVersion(ended, living, rankOf)).toEqual({ current: closed, lastLife: living });
    expect(mergeVersion({ current: closed, lastLife: living }, emptied, rankOf).lastLife).toBe(living);
  });

  test("any order and repetition of versions ends in the same state", () => {
    const version = fc.record({ slot: fc.nat({ max: 12 }), bytes: fc.nat({ max: 2 }) });
    const versions = fc
      .uniqueArray(version, { selector: ({ slot }) => slot, minLength: 1 })
      .map((all) => all.map(({ slot, bytes }) => ({ ...at(living, slot), data: new Uint8Array(bytes) })));
    const arrivals = versions.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
    );
    fc.assert(
      fc.property(arrivals, ([all, order]) => {
        expect(merged(order)).toEqual(merged(all));
      }),
    );
  });
});
