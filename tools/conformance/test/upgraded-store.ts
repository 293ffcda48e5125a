import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";
import { UnfinalizedRelay } from "@lamplight/runtime/views";
import {
  commitments,
  type IndexStore,
  NewestAnswered,
  type UnfinalizedWriter,
  type ViewSource,
} from "@lamplight/core";
import { createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { followUntil, OneVersion } from "./derive-again.ts";
import {
  afterBareUpgrade,
  afterUpgrade,
  answersOf,
  beforeUpgrade,
  expectedAnswers,
  loadStart,
  slotsOf,
} from "./two-rules.ts";

const SLOTS = 60;
/** The first slots of the chain change no asset. */
const QUIET_SLOTS = 25;
/** It takes longer than the tests that compare with it. */
let expectedOnce: ReturnType<typeof expectedAnswers> | null = null;
const expectedByBoth = () => (expectedOnce ??= expectedAnswers(SLOTS));

/** A follower by two versions of the rules is killed while it derives again, and goes on. */
export const upgradeUnderKills = async (url: string): Promise<void> => {
  const expected = await expectedByBoth();
  await loadStart(url);
  const answers = new OneVersion(expected);
  const killed = [];
  for (const killAt of [0.2, 0.6, Infinity]) killed.push(await followUntil(url, SLOTS, killAt, answers));
  expect(killed.slice(0, 2).every((line) => !line.endsWith("done"))).toBe(true);
  expect(killed.at(-1)).toMatch(/ done$/u);
  expect(answers.counts.every((count) => count > 0)).toBe(true);
  await expectNew(url, expected);
};

/** A process that serves what it follows: views over slots that are not finalized, while it derives again. */
export const upgradeInOneProcess = async (url: string): Promise<void> => {
  const expected = await expectedByBoth();
  await loadStart(url);
  const store = await openStoreForWriting(url, { create: false });
  const viewSource = await openStoreForReading(url, { withWriter: true });
  const relay = new UnfinalizedRelay();
  const overlay = await ForkOverlay.open({
    store,
    viewSource,
    derivations: afterUpgrade,
    closeFromTransactions: false,
    shared: relay.writerOver(store, viewSource),
    onCommit: (changes, receipt) => relay.noteCommit(changes, receipt),
  });
  const worker = new SharedOverlay({ unfinalized: relay, viewSource, answered: new NewestAnswered() });
  const answers = new OneVersion(expected);
  onCommittedSwitch(store, () => checkAll(answers, overlay));
  const slotAt = slotsOf();
  for (let index = 1; index < SLOTS; index += 1) {
    const one = slotAt(index);
    await overlay.add(one);
    if (index > 1) overlay.confirm(slotAt(index - 1).slot);
    if (index > QUIET_SLOTS) await overlay.fillNext();
    const finalizing = index > 3 ? overlay.finalize(slotAt(index - 3).slot) : Promise.resolve();
    // Views are opened while the slot is finalized.
    await Promise.all([finalizing, checkAll(answers, overlay)]);
    await checkAll(answers, worker);
  }
  expect(overlay.nextProgress).toBeNull();
  expect(answers.counts.every((count) => count > 2 * commitments.length)).toBe(true);
  viewSource.close();
  await store.close();
  await expectNew(url, expected);
};

/** Slots that come during the switch wait for it. None of them is lost, and reads go on by one version at a time. */
export const upgradeWhileSlotsWait = async (url: string): Promise<void> => {
  const expected = await expectedByBoth();
  await loadStart(url);
  const store = await openStoreForWriting(url, { create: false });
  const viewSource = await openStoreForReading(url, { withWriter: true });
  const overlay = await ForkOverlay.open({
    store,
    viewSource,
    derivations: afterUpgrade,
    closeFromTransactions: false,
    ...sharedBy(store),
  });
  while ((await overlay.fillNext())?.isFilled !== true);
  const answers = new OneVersion(expected);
  const checkEach = async (): Promise<void> => {
    for (const commitment of commitments) await answers.check(overlay, commitment);
  };
  await checkEach();
  const slotAt = slotsOf();
  const last = slotAt(SLOTS - 1).slot;
  const slots = Array.from({ length: SLOTS - 1 }, (_, index) => slotAt(index + 1));
  // The first one that is finalized switches the rules. All others wait by then.
  const taken = slots.flatMap((one) => [overlay.add(one), overlay.finalize(one.slot)]);
  const writing = Promise.all(taken);
  for (let isDone = false; !isDone;) {
    await checkEach();
    isDone = overlay.state.finalizedSlot === last;
    await Promise.race([writing, nextTurn()]);
  }
  await writing;
  await checkEach();
  expect(overlay.nextProgress).toBeNull();
  expect(answers.counts.every((count) => count >= commitments.length)).toBe(true);
  viewSource.close();
  await store.close();
  await expectNew(url, expected);
};

const sharedBy = (store: IndexStore): { readonly shared?: typeof store & UnfinalizedWriter } =>
  "publishUnfinalized" in store ? { shared: store as typeof store & UnfinalizedWriter } : {};

const checkAll = async (answers: OneVersion, source: ViewSource): Promise<void> => {
  await Promise.all(commitments.map((commitment) => answers.check(source, commitment)));
};

/** Views can be opened between the commit of the switch and its receipt. */
const onCommittedSwitch = (store: IndexStore, check: () => Promise<void>): void => {
  const { nextSet } = store;
  if (nextSet === undefined) throw new Error("the store keeps one set of assets");
  const finish: typeof nextSet.finish = async (...asked) => {
    const receipt = await nextSet.finish(...asked);
    await check();
    return receipt;
  };
  Object.assign(store, { nextSet: { ...nextSet, finish } });
};

/** Without the rules of the store, nothing but deriving is written, and the store answers the slot that it has. */
export const upgradeWithoutOldRules = async (url: string): Promise<void> => {
  const expected = await expectedByBoth();
  await loadStart(url);
  const first = slotsOf()(0);
  const answers = new OneVersion(expected);
  const reader = await openStoreForReading(url);
  for (let isDone = false; !isDone;) {
    // Each page by a writer of its own: nothing is kept but what the store has.
    const store = await openStoreForWriting(url, { create: false });
    const indexer = createIndexer(store, { derivations: afterBareUpgrade });
    const refused = indexer.apply({ ...first, watermark: first });
    await expect(refused).rejects.toMatchObject({
      code: "STORE__OTHER_RULES",
      context: { found: 1, known: 2 },
    });
    isDone = (await indexer.deriveMore())?.isFilled === true;
    await store.close();
    await answers.check(reader, "finalized");
  }
  reader.close();
  expect(answers.counts[0]).toBeGreaterThan(2);
  expect(answers.counts[1]).toBe(1);
  await expectNew(url, expected);
};

/** A node has the slots of a follower that has ended. It polls before `lamplight derive` begins, and after it is done. */
export const deriveBehindEndedFollower = async (url: string): Promise<void> => {
  const expected = await expectedByBoth();
  await loadStart(url);
  await followAndEnd(url);
  const reader = await openStoreForReading(url);
  const { unfinalized } = reader;
  const node: ViewSource =
    unfinalized === null
      ? reader
      : new SharedOverlay({ unfinalized, viewSource: reader, answered: new NewestAnswered() });
  const answers = new OneVersion(expected);
  await checkAll(answers, node);
  const store = await openStoreForWriting(url, { create: false });
  const indexer = createIndexer(store, { derivations: afterBareUpgrade });
  while ((await indexer.deriveMore())?.isFilled !== true);
  await store.close();
  await checkAll(answers, node);
  expect(answers.counts).toEqual([commitments.length, commitments.length]);
  reader.close();
  await expectNew(url, expected);
};

/** Publishes slots that are not finalized, where the store keeps them. */
const followAndEnd = async (url: string): Promise<void> => {
  const store = await openStoreForWriting(url, { create: false });
  const viewSource = await openStoreForReading(url, { withWriter: true });
  const overlay = await ForkOverlay.open({
    store,
    viewSource,
    derivations: beforeUpgrade,
    closeFromTransactions: false,
    ...sharedBy(store),
  });
  const slotAt = slotsOf();
  for (let index = 1; index < SLOTS; index += 1) await overlay.add(slotAt(index));
  overlay.confirm(slotAt(SLOTS - 2).slot);
  // It does nothing, and its turn comes after the confirmed slot is published.
  await overlay.finalize(slotAt(0).slot);
  viewSource.close();
  await store.close();
};

/** A writer that would not keep the next set up to date removes it, and the next one begins again. */
export const downgradeInBetween = async (url: string): Promise<void> => {
  await loadStart(url);
  const open = () => openStoreForWriting(url, { create: false });
  const upgraded = await open();
  const progress = await createIndexer(upgraded, { derivations: afterBareUpgrade }).deriveMore();
  expect(progress).toMatchObject({ version: 2, isFilled: false });
  await upgraded.close();
  const downgraded = await open();
  const one = slotsOf()(1);
  await createIndexer(downgraded, { derivations: beforeUpgrade }).apply({ ...one, watermark: one });
  expect(await downgraded.readDerivation()).toEqual({ version: 1, next: null });
  await downgraded.close();
};

const expectNew = async (
  url: string,
  expected: Awaited<ReturnType<typeof expectedAnswers>>,
): Promise<void> => {
  const reader = await openStoreForReading(url);
  const view = await reader.openView("finalized");
  expect(await answersOf(view)).toBe(expected.get(view.slot)?.[1]);
  view.close();
  reader.close();
  const store = await openStoreForWriting(url, { create: false });
  expect(await store.readDerivation()).toEqual({ version: 2, next: null });
  expect(await store.checkIntegrity()).toEqual([]);
  await store.close();
};
