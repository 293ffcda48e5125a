import {
  type Account,
  type AccountState,
  type AddressBytes,
  type Edition,
  type Transaction,
  type Watermark,
} from "@lamplight/core";
import type { DerivationRules, ReportProblem, RuleBook } from "../rules/rules.ts";
import { AddressMap, AddressSet } from "./address-map.ts";
import { applyAccounts, lowerSlot, nothingTouched, replaceStates, type Touched } from "./apply-accounts.ts";
import { applyTransactions, closedAccounts } from "./apply-transactions.ts";
import type { ClaimReader } from "./claims.ts";
import type { Delta } from "./delta.ts";
import { DeltaDraft } from "./delta-draft.ts";
import { deriveAssets, type DerivedId } from "./derive-assets.ts";
import { dependantPages, pagesOf } from "./fan-out.ts";
import { layer } from "./layer.ts";
import {
  ACCOUNTS_PER_COMMIT_MAX,
  ASSETS_PER_ROUND_MAX,
  FAN_OUT_PER_COMMIT_MAX,
  TRANSACTIONS_PER_COMMIT_MAX,
} from "./limits.ts";
import { RoundReader } from "./round-reader.ts";
import type { StateReader } from "./state-reader.ts";
import type { VersionMemory } from "./version-memory.ts";

/** Account versions and transactions that are derived together. */
export interface StepUpdates {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** States that replace those of their accounts, before anything else is derived; absent = none. */
  readonly forgotten?: readonly AccountState[];
  /** Set when the state is then known up to this slot. */
  readonly watermark: Watermark | null;
}

/** The tools that deriving needs in addition to states. */
export interface DeriveTools {
  readonly rules: RuleBook;
  /** Rules of the next set: what they derive is a part of the delta, too. Null = none is derived. */
  readonly next: DerivationRules | null;
  readonly claims: ClaimReader;
  readonly report: ReportProblem;
  /** One memory serves all steps that may bring a slot in parts. */
  readonly memory: VersionMemory;
  /**
   * Takes what a large crowd of dependent assets changes, before the rest. If the caller is stopped between the two, the
   * change that concerns the crowd is not stored yet, and comes again. Absent = the crowd is part of the result.
   */
  readonly keepCrowd?: (delta: Delta) => Promise<void>;
}

/** Updates in steps that one commit may hold, with the accounts that transactions close. The watermark is the last one's. */
export const stepsOf = (
  { accounts, transactions, forgotten = [], watermark }: StepUpdates,
  rules: RuleBook,
  closeFromTransactions: boolean,
): StepUpdates[] => {
  const closed = closeFromTransactions ? closedAccounts(transactions, rules) : [];
  const accountPages = pagesOf([...accounts, ...closed], ACCOUNTS_PER_COMMIT_MAX);
  const transactionPages = pagesOf(transactions, TRANSACTIONS_PER_COMMIT_MAX);
  const length = Math.max(1, accountPages.length, transactionPages.length);
  const steps = Array.from({ length }, (_, step) => ({
    accounts: accountPages[step] ?? [],
    transactions: transactionPages[step] ?? [],
    watermark: step === length - 1 ? watermark : null,
  }));
  if (forgotten.length === 0) return steps;
  return [{ accounts: [], transactions: [], forgotten, watermark: null }, ...steps];
};

/** Derives the changes of a step against the states of a reader. Pure: it writes nothing. */
export const derive = async (
  reader: StateReader,
  { accounts, transactions, forgotten = [], watermark }: StepUpdates,
  tools: DeriveTools,
): Promise<Delta> => {
  const { rules, claims, report, memory } = tools;
  const draft = newDraft(tools);
  const touched = nothingTouched();
  await applyAccounts(accounts, reader, claims, memory, draft, touched);
  await replaceStates(forgotten, reader, claims, draft, touched);
  await applyTransactions(transactions, accounts, reader, rules, draft, touched, report);
  await keepLowerSlots(reader, draft, touched);
  const after = layer(reader, [draft]);
  await addDependants(reader, after, draft, touched, tools);
  const derived = await deriveRounds(after, touched.assets.addresses(), tools);
  putAssets(derived, draft, touched, draft);
  return draft.finish(watermark);
};

/** Also a step that touches no asset is derived by both versions of the rules. */
const newDraft = ({ next }: DeriveTools): DeltaDraft => {
  const draft = new DeltaDraft();
  if (next !== null) draft.nextChanges = new Map();
  return draft;
};

/** Adds the assets that depend on changed accounts to those that are derived. */
const addDependants = async (
  before: StateReader,
  after: StateReader,
  draft: DeltaDraft,
  touched: Touched,
  tools: DeriveTools,
): Promise<void> => {
  if (touched.dependants.length === 0) return;
  const own = new AddressSet();
  own.addAll(touched.assets.addresses());
  let crowd = new AddressSet();
  for await (const page of dependantPages(touched.dependants, before, after, tools.claims)) {
    crowd.addAll(page.filter((id) => !own.has(id)));
    if (tools.keepCrowd === undefined || crowd.size < FAN_OUT_PER_COMMIT_MAX) continue;
    const derived = await deriveRounds(after, crowd.addresses(), tools);
    const kept = newDraft(tools);
    putAssets(derived, draft, touched, kept);
    await tools.keepCrowd(kept.finish(null));
    crowd = new AddressSet();
  }
  touched.assets.addAll(crowd.addresses());
};

/** Keeps the slots that are lower than the known ones; the assets concerned show another created slot. */
const keepLowerSlots = async (reader: StateReader, draft: DeltaDraft, touched: Touched): Promise<void> => {
  for (const address of await lowerSlots(reader, draft, touched.seen)) touched.assets.add(address);
  for (const address of await lowerSlots(reader, draft, touched.partsSeen))
    touched.dependants.push(...(touched.partLists.get(address) ?? []));
};

const lowerSlots = async (
  reader: StateReader,
  draft: DeltaDraft,
  seen: AddressMap<number>,
): Promise<AddressBytes[]> => {
  if (seen.size === 0) return [];
  const known = await reader.readSeenSlots(seen.addresses());
  const lowest = seen.entries().filter(({ value: slot }, index) => slot < (known[index] ?? Infinity));
  // An address may be seen as an asset and as a part of one.
  for (const { address, value: slot } of lowest) lowerSlot(draft.seen, address, slot);
  return lowest.map(({ address }) => address);
};

const deriveRounds = async (
  reader: StateReader,
  ids: readonly AddressBytes[],
  { rules, next, claims, report }: DeriveTools,
): Promise<DerivedId[]> => {
  const derived: DerivedId[] = [];
  for (const page of pagesOf(ids, ASSETS_PER_ROUND_MAX))
    derived.push(...(await deriveAssets(page, new RoundReader(reader, report), claims, rules, next)));
  return derived;
};

/** @param step - the states that the step changes */
const putAssets = (
  derived: readonly DerivedId[],
  step: DeltaDraft,
  touched: Touched,
  into: DeltaDraft,
): void => {
  const editions = new AddressMap<Edition>();
  const gone = new AddressSet();
  // An edition row can only go with its account or with the link that named it.
  for (const list of step.links.values())
    for (const { link, removed } of list.values())
      if (removed && link.role === "edition") gone.add(link.target);
  for (const { id, asset, next, editions: proved, editionAddresses } of derived) {
    if (asset !== null || touched.mayGo.has(id)) into.setAsset(id, asset);
    if (next !== undefined) into.setNext(id, next);
    for (const edition of proved) editions.set(edition.address, edition);
    gone.addAll(editionAddresses.filter((address) => step.writes.has(address)));
  }
  for (const edition of editions.values()) into.setEdition(edition.address, edition);
  for (const address of gone.addresses()) if (!editions.has(address)) into.setEdition(address, null);
};
