import { expect, test } from "vitest";
import { NewestAnswered } from "./newest-answered.ts";

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
