import type { ViewSource, ReadView, UnfinalizedHead, UnfinalizedReader } from "@lamplight/core";
import { expect, test } from "vitest";
import { SharedOverlay } from "./shared-overlay.ts";

const headAt = (slot: number, revision = slot): UnfinalizedHead => ({
  watermark: { slot, blockhash: null },
  changeSeq: slot,
  confirmedSlot: slot,
  revision,
  writer: "one",
});

const showing = (head: () => UnfinalizedHead): UnfinalizedReader => ({
  readUnfinalizedHead: head,
  readUnfinalized: () => ({ ...head(), slots: [] }),
});

/** Views of these slots, one after the other; the last one again and again. */
const viewsAt = (...slots: number[]): ViewSource => ({
  openView: () => {
    const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
    return { slot, close: () => undefined } as ReadView;
  },
});

test("a view that was opened before the finalized slot moved is not answered: the newer root may have been", async () => {
  const overlay = new SharedOverlay({ unfinalized: showing(() => headAt(12)), viewSource: viewsAt(10, 12) });
  expect((await overlay.openView("confirmed")).slot).toBe(12);
});

test("anyone who is behind an answer of another one looks first, once", async () => {
  let head = headAt(12);
  let looks = 0;
  const unfinalized = showing(() => {
    looks += 1;
    return head;
  });
  const answered = { revision: 0, noteRevision: (revision: number) => void (answered.revision = revision) };
  const overlay = new SharedOverlay({ unfinalized, viewSource: viewsAt(12, 12, 13), answered });
  await overlay.openView("confirmed");
  expect(answered.revision).toBe(12);
  const before = looks;
  await overlay.openView("confirmed");
  expect(looks).toBe(before);
  // The store's own view would still be of the state before.
  head = headAt(12, 13);
  answered.revision = 13;
  await overlay.openView("confirmed");
  expect(looks).toBeGreaterThan(before);
});

test("a store that was put back is answered where it stands", async () => {
  let head = headAt(12);
  const overlay = new SharedOverlay({ unfinalized: showing(() => head), viewSource: viewsAt(12, 7) });
  expect((await overlay.openView("confirmed")).slot).toBe(12);
  head = { ...headAt(7), writer: "two" };
  expect((await overlay.openView("confirmed")).slot).toBe(7);
});
