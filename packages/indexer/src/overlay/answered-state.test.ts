import type { MaybePromise, ReadView } from "@lamplight/core";
import { expect, test } from "vitest";
import { openAsNew } from "./answered-state.ts";

/** Opens views of these slots, one after the other; the last one again and again. */
const viewsOf = (slots: number[]): { readonly open: () => ReadView; readonly closed: number[] } => {
  const closed: number[] = [];
  const open = (): ReadView => {
    const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
    return { slot, close: () => void closed.push(slot) } as ReadView;
  };
  return { open, closed };
};

const answeredAt = (slot: number) => ({
  slot,
  noteSlot(answered: number): void {
    this.slot = Math.max(this.slot, answered);
  },
});

test("a view that is behind the answer of another worker is opened again, once", async () => {
  const answered = answeredAt(0);
  const { open, closed } = viewsOf([5, 5, 6, 6]);
  const opened: MaybePromise<ReadView> = openAsNew(open, answered);
  expect(opened).toMatchObject({ slot: 5 });
  expect(answered.slot).toBe(5);
  answered.noteSlot(6);
  expect(await openAsNew(open, answered)).toMatchObject({ slot: 6 });
  expect(closed).toEqual([5]);
});

test("a restored store is answered as it is", async () => {
  const { open, closed } = viewsOf([4]);
  expect(await openAsNew(open, answeredAt(9))).toMatchObject({ slot: 4 });
  expect(closed).toEqual([4]);
});
