import { describe, expect, test } from "vitest";
import { IndexHistory, type ViewState } from "./index-history.ts";

/** A view of a store with these openings, each with the change that it started after. */
const viewOf = (openings: Readonly<Record<string, number>>, changeSeq: number): ViewState => ({
  changeSeq,
  history: {
    writer: Object.keys(openings).at(-1)!,
    through: async (writer) => {
      const names = Object.keys(openings);
      const place = names.indexOf(writer);
      return place === -1 ? null : (openings[names[place + 1] ?? ""] ?? Infinity);
    },
  },
});

const first = { first: 0 };
const continued = { first: 0, second: 40 };

describe("an index that a second opening has moved", () => {
  test("takes views of the first up to where the second started, and no later ones", async () => {
    const history = new IndexHistory();
    expect(await history.admits(viewOf(first, 30), { changeSeq: 0 })).toBe(true);
    expect(await history.admits(viewOf(continued, 50), { changeSeq: 30 })).toBe(true);
    expect(history.latest).toBe("second");
    expect(history.has(viewOf(first, 40))).toBe(true);
    expect(history.has(viewOf(first, 41))).toBe(false);
    expect(await history.admits(viewOf(first, 50), { changeSeq: 50 })).toBe(false);
    expect(history.latest).toBe("second");
  });

  test("takes none of an opening that ended before the index knew of it, and stays what it is", async () => {
    const history = new IndexHistory([{ id: "second", through: Infinity }]);
    expect(await history.admits(viewOf(first, 60), { changeSeq: 50 })).toBe(false);
    expect(history.writers).toEqual([{ id: "second", through: Infinity }]);
  });
});

test("an index is not continued by an opening that started before its state", async () => {
  const history = new IndexHistory([{ id: "first", through: Infinity }]);
  expect(await history.admits(viewOf(continued, 60), { changeSeq: 41 })).toBe(false);
  expect(await history.admits(viewOf(continued, 60), { changeSeq: 40 })).toBe(true);
});

test("of two openings that continue the same state, the first that is met counts", async () => {
  const history = new IndexHistory([{ id: "first", through: Infinity }]);
  const views = [viewOf(continued, 60), viewOf({ first: 0, other: 40 }, 60)];
  expect(await Promise.all(views.map((view) => history.admits(view, { changeSeq: 30 })))).toEqual([
    true,
    false,
  ]);
});

test("a store without a history is always taken", async () => {
  expect(await new IndexHistory().admits({ changeSeq: 5 }, { changeSeq: 9 })).toBe(true);
});
