import { expect, test } from "vitest";
import type { ViewHead } from "../queries/read-head.ts";
import { type Knowledge, SharedKnowledge } from "./shared-knowledge.ts";

const headAt = (changeSeq: number, writer = "a"): ViewHead => ({
  slot: changeSeq,
  changeSeq,
  settingsRevision: 0,
  nextOrdinal: 0,
  writer,
});

const first = headAt(5);

/** A reader that has seen a head, and what it then knew. */
const seen = (): { readonly shared: SharedKnowledge; readonly knowledge: Knowledge } => {
  const shared = new SharedKnowledge();
  return { shared, knowledge: shared.at(first, null) };
};

test("keeps what it knows over views that were opened at the same time, in any order of their answers", () => {
  const { shared, knowledge } = seen();
  const before = shared.seen;
  expect(shared.at(headAt(7), before)).toBe(knowledge);
  expect(shared.at(headAt(6), before)).toBe(knowledge);
  expect(shared.at(first, before)).toBe(knowledge);
  expect(shared.seen).toEqual(headAt(7));
  expect(shared.at(headAt(7), shared.seen)).toBe(knowledge);
});

test.each([
  ["asked for after a newer one", headAt(6)],
  ["older than one seen before any of them was asked for", headAt(4)],
  ["of another writer", headAt(8, "b")],
])("forgets all at a head that is %s", (_which, head) => {
  const { shared, knowledge } = seen();
  const before = head.changeSeq === 6 ? headAt(7) : shared.seen;
  shared.at(headAt(7), shared.seen);
  const items = knowledge.items.at({ changeSeq: 7, contentSeq: 0 }, null as never);
  expect(items).not.toBeNull();
  const next = shared.at(head, before);
  expect(next).not.toBe(knowledge);
  expect(shared.seen).toBe(head);
  // A view that is still open has nothing, regardless of what it is at.
  for (const changeSeq of [4, 7, 9])
    expect(knowledge.items.at({ changeSeq, contentSeq: 0 }, null as never)).toBeNull();
  expect(next.items.at({ changeSeq: head.changeSeq, contentSeq: 0 }, null as never)).not.toBeNull();
});
