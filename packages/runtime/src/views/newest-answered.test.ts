import type { ViewSource, ReadView } from "@lamplight/core";
import { expect, test } from "vitest";
import { NewestAnswered, atLeastAsNew } from "./newest-answered.ts";

test("the newest of all that share the memory counts, anyone who noted it", () => {
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

const viewsOf = (slots: number[]): { readonly store: ViewSource; readonly closed: number[] } => {
  const closed: number[] = [];
  const store: ViewSource = {
    openView: () => {
      const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
      return { slot, close: () => void closed.push(slot) } as ReadView;
    },
  };
  return { store, closed };
};

test("a view that stands behind another worker's answer is taken again", async () => {
  const answered = new NewestAnswered();
  const { store, closed } = viewsOf([5, 5, 6, 6]);
  const viewSource = atLeastAsNew(store, answered);
  expect(viewSource.openView("finalized")).toMatchObject({ slot: 5 });
  new NewestAnswered(answered.memory).noteSlot(6);
  expect(await viewSource.openView("finalized")).toMatchObject({ slot: 6 });
  expect(closed).toEqual([5]);
});

test("a store that was put back is answered as it is", async () => {
  const answered = new NewestAnswered();
  answered.noteSlot(9);
  const { store } = viewsOf([4]);
  expect(await atLeastAsNew(store, answered).openView("finalized")).toMatchObject({ slot: 4 });
});
