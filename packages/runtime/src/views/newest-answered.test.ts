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

test("a thread that finds a restore late keeps what others have answered since", () => {
  const one = new NewestAnswered();
  const other = new NewestAnswered(one.memory);
  one.noteSlot(1000);
  one.noteConfirmed(1032);
  one.noteRevision(70);
  other.lowerTo({ slot: 500, confirmedSlot: 520, revision: 40 });
  expect([one.slot, one.confirmedSlot, one.revision]).toEqual([500, 520, 40]);
  other.noteSlot(501);
  one.lowerTo({ slot: 501, confirmedSlot: 521, revision: 41 });
  expect([one.slot, one.confirmedSlot, one.revision]).toEqual([501, 520, 40]);
  one.lowerTo({ slot: 450 });
  expect([one.slot, one.confirmedSlot, one.revision]).toEqual([450, 450, 0]);
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
