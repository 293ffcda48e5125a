import {
  NewestAnswered,
  reads,
  type ReadView,
  type UnfinalizedHead,
  type UnfinalizedReader,
  type UnfinalizedState,
  type ViewSource,
} from "@lamplight/core";
import { expect, test } from "vitest";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { RESTORED_AFTER_MS, STANDSTILL_SECONDS_MAX, VIEW_ATTEMPTS_MAX } from "./limits.ts";
import { SharedOverlay } from "./shared-overlay.ts";
import { noDataBelow } from "./shared-data.ts";
import { encodeSlotBody } from "./slot-body.ts";

const headAt = (slot: number, revision = slot): UnfinalizedHead => ({
  watermark: { slot, blockhash: null },
  changeSeq: slot,
  confirmedSlot: slot,
  isWithdrawn: false,
  revision,
  writer: "one",
});

const showing = (head: () => UnfinalizedHead): UnfinalizedReader => ({
  readUnfinalizedHead: async () => head(),
  readUnfinalized: async () => ({ ...head(), slots: [] }),
  readFinalizedData: noDataBelow,
});

const showingState = (state: () => UnfinalizedState): UnfinalizedReader => ({
  readUnfinalizedHead: async () => state(),
  readUnfinalized: async () => state(),
  readFinalizedData: noDataBelow,
});

/** Views of these slots, one after the other; the last one again and again. */
const viewsAt = (...slots: number[]): ViewSource => ({
  openView: () => {
    const slot = slots.length > 1 ? slots.shift()! : slots[0]!;
    return viewAt(slot);
  },
});

/**
 * @param changeSeq - of its rows; `headAt` has the same for a slot
 * @param writer - of its rows; absent for a store that keeps no history
 */
const viewAt = (slot: number, changeSeq: number = slot, writer?: string): ReadView =>
  ({
    slot,
    terms: { changeSeq, ...(writer !== undefined && { history: { writer, through: async () => null } }) },
    close: () => undefined,
  }) as unknown as ReadView;

test("a view that was opened before the finalized slot moved is not answered: the newer root may have been", async () => {
  const overlay = new SharedOverlay({ unfinalized: showing(() => headAt(12)), viewSource: viewsAt(10, 12) });
  expect((await overlay.openView("confirmed")).slot).toBe(12);
});

test("a finalized slot that moves all the time is reported as such", async () => {
  let slot = 12;
  const unfinalized = showing(() => headAt((slot += 1)));
  const overlay = new SharedOverlay({ unfinalized, viewSource: viewsAt(10) });
  await expect(overlay.openView("confirmed")).rejects.toMatchObject({
    code: "SERVER__BUSY",
    message: `The server is busy: the finalized slot moved during ${VIEW_ATTEMPTS_MAX} attempts to open a view`,
  });
});

test("a confirmed slot below one that was answered is refused, until it is there or counts as restored", async () => {
  let nowMs = 0;
  let head = headAt(12);
  const answered = new NewestAnswered();
  answered.noteConfirmed(15);
  const overlay = new SharedOverlay({
    unfinalized: showing(() => head),
    viewSource: { openView: () => viewAt(head.watermark!.slot) },
    answered,
    pollMs: 1,
    now: () => nowMs,
  });
  await expect(overlay.openView("confirmed")).rejects.toMatchObject({ code: "SERVER__BUSY" });
  expect((await overlay.openView("finalized")).slot).toBe(12);
  expect((await overlay.openView("processed")).slot).toBe(12);
  head = headAt(15);
  expect((await overlay.openView("confirmed")).slot).toBe(15);
  answered.noteConfirmed(20);
  await expect(overlay.openView("confirmed")).rejects.toMatchObject({ code: "SERVER__BUSY" });
  nowMs = RESTORED_AFTER_MS;
  expect((await overlay.openView("confirmed")).slot).toBe(15);
});

test("slots that no writer brings back are not waited for", async () => {
  const answered = new NewestAnswered();
  answered.noteSlot(12);
  answered.noteConfirmed(15);
  const unfinalized = showing(() => ({ ...headAt(12), isWithdrawn: true }));
  const overlay = new SharedOverlay({ unfinalized, viewSource: viewsAt(12), answered });
  expect((await overlay.openView("confirmed")).slot).toBe(12);
  expect(answered).toMatchObject({ slot: 12, confirmedSlot: 12, revision: 12 });
});

test("slots are not laid over rows that were replaced since, at the same finalized slot", async () => {
  const body = await encodeSlotBody({ reported: null, changes: new DeltaDraft().finish(null) });
  const slots = [{ slot: 11, parent: 10, blockhash: null, revision: 10, body }];
  let state = { ...headAt(10), slots };
  let rows = viewAt(10);
  const overlay = new SharedOverlay({
    unfinalized: showingState(() => state),
    viewSource: { openView: () => rows },
  });
  expect((await overlay.openView("processed")).slot).toBe(11);
  rows = viewAt(10, 20);
  state = { ...headAt(10, 12), changeSeq: 20, slots: [] };
  expect((await overlay.openView("processed")).slot).toBe(10);
  // A view of the rows before is not combined with slots that were derived after.
  rows = viewAt(10);
  state = { ...headAt(10, 13), changeSeq: 20, slots };
  await overlay.catchUp();
  await expect(overlay.openView("processed")).rejects.toMatchObject({ code: "SERVER__BUSY" });
});

test("slots are not laid over rows that another writer gave the same numbers, after a restore", async () => {
  const body = await encodeSlotBody({ reported: null, changes: new DeltaDraft().finish(null) });
  const slots = [{ slot: 11, parent: 10, blockhash: null, revision: 10, body }];
  const state = { ...headAt(10), slots };
  let rows = viewAt(10, 10, "one");
  const overlay = new SharedOverlay({
    unfinalized: showingState(() => state),
    viewSource: { openView: () => rows },
  });
  expect((await overlay.openView("processed")).slot).toBe(11);
  rows = viewAt(10, 10, "undone");
  await expect(overlay.openView("processed")).rejects.toMatchObject({ code: "SERVER__BUSY" });
});

test("a view above the finalized slot is wrapped for searches, at the first one", async () => {
  const body = await encodeSlotBody({ reported: null, changes: new DeltaDraft().finish(null) });
  const state = { ...headAt(10), slots: [{ slot: 11, parent: 10, blockhash: null, revision: 10, body }] };
  const kinds: string[] = [];
  const base = {
    ...viewAt(10),
    read: async ({ kind }: { readonly kind: string }) => void kinds.push(`store ${kind}`),
  } as unknown as ReadView;
  const terms = { changeSeq: 10, nextOrdinal: 0, readFacts: async () => [], readPositions: async () => [] };
  const searched = {
    ...base,
    terms,
    read: async ({ kind }: { readonly kind: string }) => {
      kinds.push(`index ${kind}`);
      return { ordinals: [], total: 0, cursor: null };
    },
    cancel: () => void kinds.push("cancel"),
  } as unknown as ReadView;
  const wrapped: ReadView[] = [];
  const overlay = new SharedOverlay({
    unfinalized: showingState(() => state),
    viewSource: { openView: () => ({ ...base, terms }) as unknown as ReadView },
    over: (view) => {
      wrapped.push(view);
      return searched;
    },
  });
  const view = await overlay.openView("processed");
  await view.read(reads.account(new Uint8Array(32)));
  expect([kinds, wrapped.length]).toEqual([["store account"], 0]);
  const start = { kind: "offset", offset: 0 } as const;
  const order = { sort: "created", direction: "asc" } as const;
  for (let count = 0; count < 2; count++)
    await view.read(reads.search({ criteria: [], match: "all", negate: false, ...order, start, limit: 10 }));
  expect(kinds).toContain("index search");
  expect(kinds).not.toContain("store search");
  expect(wrapped).toHaveLength(1);
  view.cancel?.();
  expect(kinds.at(-1)).toBe("cancel");
});

test("a read of states that the path does not change is the same read below, which may be answered already", async () => {
  const body = await encodeSlotBody({ reported: null, changes: new DeltaDraft().finish(null) });
  const state = { ...headAt(10), slots: [{ slot: 11, parent: 10, blockhash: null, revision: 10, body }] };
  const below: unknown[] = [];
  const read = async (asked: unknown) => {
    below.push(asked);
    return [null];
  };
  const overlay = new SharedOverlay({
    unfinalized: showingState(() => state),
    viewSource: { openView: () => ({ ...viewAt(10), read }) as unknown as ReadView },
  });
  const view = await overlay.openView("processed");
  const asked = [reads.ledger("leaf", [new Uint8Array(32)]), reads.ledger("nodes", [new Uint8Array(32)])];
  for (const one of asked) expect(await view.read(one)).toEqual([null]);
  expect(below[0]).toBe(asked[0]);
  expect(below[1]).toBe(asked[1]);
});

test("anyone who is behind an answer of another one looks first, once", async () => {
  let head = headAt(12);
  let looks = 0;
  const unfinalized = showing(() => {
    looks += 1;
    return head;
  });
  const answered = new NewestAnswered();
  const overlay = new SharedOverlay({ unfinalized, viewSource: viewsAt(12, 12, 13), answered });
  await overlay.openView("confirmed");
  expect(answered.revision).toBe(12);
  const before = looks;
  await overlay.openView("confirmed");
  expect(looks).toBe(before);
  // The store's own view would still be of the state before.
  head = headAt(12, 13);
  answered.noteRevision(13);
  await overlay.openView("confirmed");
  expect(looks).toBeGreaterThan(before);
});

test("a finalized view is not older than an answer of another worker, and each view is wrapped", async () => {
  const answered = new NewestAnswered();
  answered.noteSlot(12);
  const wrapped: number[] = [];
  const overlay = new SharedOverlay({
    unfinalized: showing(() => headAt(12)),
    viewSource: viewsAt(10, 12),
    answered,
    over: (view) => {
      wrapped.push(view.slot);
      return { ...view, slot: view.slot };
    },
  });
  for (const commitment of ["finalized", "confirmed"] as const)
    expect((await overlay.openView(commitment)).slot).toBe(12);
  expect(wrapped).toEqual([12, 12]);
});

test("a store that was put back is answered where it stands", async () => {
  let head = headAt(12);
  const overlay = new SharedOverlay({ unfinalized: showing(() => head), viewSource: viewsAt(12, 7) });
  expect((await overlay.openView("confirmed")).slot).toBe(12);
  head = { ...headAt(7), writer: "two" };
  expect((await overlay.openView("confirmed")).slot).toBe(7);
});

test("a reader that sees slots a little later than the writer reports the standstill of finality too", async () => {
  const slotMs = 400;
  const body = await encodeSlotBody({ reported: null, changes: new DeltaDraft().finish(null) });
  let nowMs = 0;
  let newest = 10;
  const head = (): UnfinalizedHead => ({ ...headAt(10), revision: newest });
  const unfinalized: UnfinalizedReader = {
    readUnfinalizedHead: async () => head(),
    readFinalizedData: noDataBelow,
    readUnfinalized: async (known) => ({
      ...head(),
      slots: Array.from({ length: newest - 10 }, (_, index) => {
        const slot = 11 + index;
        return {
          slot,
          parent: slot - 1,
          blockhash: null,
          revision: slot,
          body: known.has(slot) ? null : body,
        };
      }),
    }),
  };
  const overlay = new SharedOverlay({ unfinalized, viewSource: viewsAt(10), now: () => nowMs });
  const addSlots = async (through: number): Promise<void> => {
    for (; newest < through; newest += 1) {
      nowMs += slotMs;
      await overlay.catchUp();
    }
    await overlay.catchUp();
  };
  // The writer adds none from here on.
  const last = 10 + (STANDSTILL_SECONDS_MAX * 1000) / slotMs;
  await addSlots(last - 100);
  const view = await overlay.openView("processed");
  expect(view.slot).toBe(last - 100);
  view.close();
  await addSlots(last - 1);
  expect(overlay.state!.standstillSeconds).toBeLessThan(STANDSTILL_SECONDS_MAX);
  for (const commitment of ["processed", "confirmed"] as const)
    await expect(overlay.openView(commitment)).rejects.toMatchObject({ code: "CHAIN__FINALITY_STALLED" });
  expect((await overlay.openView("finalized")).slot).toBe(10);
});
