import { expect, test } from "vitest";
import { NewestAnswered } from "./newest-answered.ts";
import type { ReadView } from "./read-view.ts";

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

/** Opens views of these slots, one after the other; the last one again and again. */
const viewsOf = (slots: number[]): { readonly open: () => ReadView; readonly closed: number[] } => {
  const closed: number[] = [];
  const open = (): ReadView => {
    const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
    return { slot, close: () => void closed.push(slot) } as ReadView;
  };
  return { open, closed };
};

test("a view that is behind the answer of another worker is opened again, once", async () => {
  const answered = new NewestAnswered();
  const { open, closed } = viewsOf([5, 5, 6, 6]);
  const opened = answered.openAsNew(open);
  expect(opened).toMatchObject({ slot: 5 });
  expect(answered.slot).toBe(5);
  answered.noteSlot(6);
  expect(await answered.openAsNew(open)).toMatchObject({ slot: 6 });
  expect(closed).toEqual([5]);
});

test("a restored store is answered as it is", async () => {
  const { open, closed } = viewsOf([4]);
  const answered = new NewestAnswered();
  answered.noteSlot(9);
  expect(await answered.openAsNew(open)).toMatchObject({ slot: 4 });
  expect(closed).toEqual([4]);
});
