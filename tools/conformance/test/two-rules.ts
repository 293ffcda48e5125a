// Two versions of the rules, a chain that goes on, and what each version makes of each of its slots.

import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddressBytes, type AssetQuery, type ReadView, reads, type Slot } from "@lamplight/core";
import { countsForAccounts, generateChain, LivingChain, type WorldSlot } from "@lamplight/devchain";
import { createIndexer, type Derivations, ruleBook } from "@lamplight/indexer";
import { openStoreForReading, openStoreForWriting } from "@lamplight/runtime";

type Rules = Derivations["current"];

/** Rules without some assets, so that each version has some that the other does not. */
const without = (version: number, rest: number): Rules => ({
  ...ruleBook,
  version,
  kinds: ruleBook.kinds.map((kind) => ({
    ...kind,
    derive: (view) => {
      const derived = kind.derive(view);
      return derived === null || view.id[0]! % 7 !== rest ? derived : { ...derived, record: null };
    },
  })),
});

const isAlike = (id: AddressBytes): boolean => id[1]! % 2 === 0;

const older = without(1, 3);
const newer: Rules = {
  ...without(2, 5),
  shape: (record, createdSlot) => {
    const asset = ruleBook.shape(record, createdSlot);
    if (isAlike(record.id)) return asset;
    return { ...asset, frozen: !asset.frozen, document: asset.document.replace("{", '{"rules":2,') };
  },
};

/** The process before the upgrade. */
export const beforeUpgrade: Derivations = { current: older, previous: null };
/** The process after it. */
export const afterUpgrade: Derivations = { current: newer, previous: older };
/** The process after it, without the rules of the store. */
export const afterBareUpgrade: Derivations = { current: newer, previous: null };

const FIRST_SLOT = 300_000_000;
const ACCOUNTS = 6000;

/** The accounts before the first slot of the chain. */
const startAccounts = () => [...generateChain({ seed: 3, counts: countsForAccounts(ACCOUNTS) })];

/** The slots of a chain, each as often as it is asked for. */
export const slotsOf = (): ((index: number) => WorldSlot) => {
  const chain = new LivingChain({ seed: 5, firstSlot: FIRST_SLOT + 1000 });
  const slots: WorldSlot[] = [];
  return (index) => {
    while (slots.length <= index) slots.push(chain.next());
    return slots[index]!;
  };
};

/** Loads the accounts before the first slot, as the process before the upgrade does. */
export const loadStart = async (url: string, derivations = beforeUpgrade): Promise<void> => {
  const store = await openStoreForWriting(url, { create: true });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store, { derivations });
  for (const { slot, blockhash, accounts } of startAccounts())
    await indexer.applyAccounts(accounts, { slot, blockhash });
  const first = slotsOf()(0);
  await indexer.apply({ ...first, watermark: first });
  await store.close();
};

const everything = (criteria: AssetQuery["criteria"], page: number): AssetQuery => ({
  criteria,
  match: "all",
  negate: false,
  sort: "id",
  direction: "asc",
  start: { kind: "page", page },
  limit: 1000,
});

const listed = async (view: ReadView, criteria: AssetQuery["criteria"]): Promise<readonly string[]> => {
  const documents: string[] = [];
  for (let page = 1; ; page += 1) {
    const found = await view.read(reads.search(everything(criteria, page)));
    for (const asset of await view.read(reads.ownAssets(found.ordinals))) documents.push(asset!.document);
    if (found.cursor === null) return documents;
  }
};

/** Names all that a view answers of assets: documents, in order, and what a search finds. */
export const answersOf = async (view: ReadView): Promise<string> => {
  const all = await listed(view, []);
  const frozen = await listed(view, [{ kind: "frozen", value: true }]);
  return hash("sha256", JSON.stringify([all, frozen]), "hex");
};

/** The answers of both versions at each of the first slots, by two stores that know one version each. */
export const expectedAnswers = async (slots: number): Promise<ReadonlyMap<Slot, readonly string[]>> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-two-rules-"));
  const expected = new Map<Slot, string[]>();
  for (const rules of [older, newer]) {
    const url = `sqlite:${join(folder, `${rules.version}.db`)}`;
    // A new store has the version of this build; a next set of nothing gives it the other.
    const made = await openStoreForWriting(url, { create: true });
    const own: Derivations = { current: rules, previous: older };
    await createIndexer(made, { derivations: own }).deriveMore();
    await made.close();
    await loadStart(url, own);
    const store = await openStoreForWriting(url, { create: false });
    const indexer = createIndexer(store, { derivations: own, closeFromTransactions: false });
    const reader = await openStoreForReading(url);
    const slotAt = slotsOf();
    for (let index = 0; index < slots; index += 1) {
      const one = slotAt(index);
      if (index > 0) await indexer.apply({ ...one, watermark: one });
      const view = await reader.openView("finalized");
      const answers = await answersOf(view);
      view.close();
      expected.set(one.slot, [...(expected.get(one.slot) ?? []), answers]);
    }
    reader.close();
    await store.close();
  }
  rmSync(folder, { recursive: true });
  return expected;
};
