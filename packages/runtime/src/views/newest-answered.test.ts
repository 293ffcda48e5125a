import type { Readable, ReadView } from "@lamplight/core";
import { expect, test } from "vitest";
import { NewestAnswered, neverBehind } from "./newest-answered.ts";

test("the newest of all that share the memory counts, whoever noted it", () => {
  const one = new NewestAnswered();
  const other = new NewestAnswered(one.memory);
  one.noteSlot(300_000_000_000);
  other.noteSlot(7);
  other.noteRevision(3);
  one.noteRevision(2);
  expect([one.slot, other.slot, one.revision, other.revision]).toEqual([
    300_000_000_000, 300_000_000_000, 3, 3,
  ]);
});

const viewsOf = (slots: number[]): { readonly store: Readable; readonly closed: number[] } => {
  const closed: number[] = [];
  const store: Readable = {
    openView: () => {
      const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
      return { slot, close: () => void closed.push(slot) } as ReadView;
    },
  };
  return { store, closed };
};

test("a view that stands behind another worker's answer is taken anew", async () => {
  const answered = new NewestAnswered();
  const { store, closed } = viewsOf([5, 5, 6, 6]);
  const readable = neverBehind(store, answered);
  expect(readable.openView("finalized")).toMatchObject({ slot: 5 });
  new NewestAnswered(answered.memory).noteSlot(6);
  expect(await readable.openView("finalized")).toMatchObject({ slot: 6 });
  expect(closed).toEqual([5]);
});

test("a store that was put back is answered as it is", async () => {
  const answered = new NewestAnswered();
  answered.noteSlot(9);
  const { store } = viewsOf([4]);
  expect(await neverBehind(store, answered).openView("finalized")).toMatchObject({ slot: 4 });
});
