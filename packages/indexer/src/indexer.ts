import {
  type Account,
  type Asset,
  type ChangeSet,
  type CommitReceipt,
  deriveAccountFacts,
  type Edition,
  emptyChangeSet,
  type Transaction,
  type Watermark,
} from "@lamplight/core";
import { AddressMap, AddressSet } from "./engine/address-map.ts";
import { applyAccounts, lower, nothingTouched, type Touched } from "./engine/apply-accounts.ts";
import { applyTransactions, closedAccounts } from "./engine/apply-transactions.ts";
import { ClaimReader } from "./engine/claims.ts";
import { deriveAssets, type Derivation } from "./engine/derive-assets.ts";
import { dependantPages, pagesOf } from "./engine/fan-out.ts";
import {
  accountsPerCommitMax,
  assetsPerRoundMax,
  fanOutPerCommitMax,
  transactionsPerCommitMax,
} from "./engine/limits.ts";
import { Pending } from "./engine/pending.ts";
import { RoundReader } from "./engine/round-reader.ts";
import { ruleBook } from "./programs/rule-book.ts";
import type { StateStore } from "./engine/state-reader.ts";
import type { ReportProblem, RuleBook } from "./rules/rules.ts";

/** What arrives together, say one slot, or a piece of a dump. */
export interface Updates {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** Set when the store then holds everything up to this slot. */
  readonly watermark: Watermark | null;
}

export interface IndexerOptions {
  /** Called after each commit, in order: what search and caches need to follow. */
  readonly onCommit?: (changes: ChangeSet, receipt: CommitReceipt) => void;
  /** Accounts and events that could not be understood; they are never fatal. */
  readonly onProblem?: ReportProblem;
  /**
   * Whether transactions close accounts (instructions that say so). Off where every account update arrives anyway.
   * Default on.
   */
  readonly closeFromTransactions?: boolean;
}

export interface ApplySummary {
  readonly commits: number;
  /** Account states that changed; stale and repeated versions change none. */
  readonly accountsChanged: number;
  readonly assetsChanged: number;
}

export interface Indexer {
  /**
   * Applies updates in one transaction of the store, or in several when they are more than a commit may hold; the
   * watermark moves with the last. Calls of all kinds wait for their turn.
   */
  apply(updates: Updates): Promise<ApplySummary>;
  applyAccounts(accounts: readonly Account[], watermark: Watermark | null): Promise<ApplySummary>;
  applyTransactions(transactions: readonly Transaction[], watermark: Watermark | null): Promise<ApplySummary>;
}

/**
 * The one writer of a store: account updates and transactions in, assets out. Any order and any repetition of updates
 * ends in the same documents.
 *
 * ```ts
 * const indexer = createIndexer(store);
 * await indexer.applyAccounts([mint, metadata, tokenAccount], { slot: 7, blockhash: null });
 * ```
 */
export const createIndexer = (store: StateStore, options: IndexerOptions = {}): Indexer => {
  const run = new IndexRun(store, ruleBook, options);
  return {
    apply: (updates) => run.apply(updates),
    applyAccounts: (accounts, watermark) => run.apply({ accounts, transactions: [], watermark }),
    applyTransactions: (transactions, watermark) => run.apply({ accounts: [], transactions, watermark }),
  };
};

interface Counters {
  commits: number;
  accountsChanged: number;
  assetsChanged: number;
}

const noCounts = (): Counters => ({ commits: 0, accountsChanged: 0, assetsChanged: 0 });

class IndexRun {
  readonly #store: StateStore;
  readonly #rules: RuleBook;
  readonly #claims: ClaimReader;
  readonly #options: IndexerOptions;
  readonly #report: ReportProblem;
  #turn: Promise<void> = Promise.resolve();

  constructor(store: StateStore, rules: RuleBook, options: IndexerOptions) {
    this.#store = store;
    this.#rules = rules;
    this.#claims = new ClaimReader(rules.accounts);
    this.#options = options;
    this.#report = options.onProblem ?? (() => {});
  }

  apply(updates: Updates): Promise<ApplySummary> {
    return this.#inTurn(() => this.#applyAll(updates));
  }

  /** One writer, one thing at a time: what is read for a commit must still be true when it is made. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  async #applyAll({ accounts, transactions, watermark }: Updates): Promise<ApplySummary> {
    const closed =
      this.#options.closeFromTransactions === false ? [] : closedAccounts(transactions, this.#rules);
    const accountPages = pagesOf([...accounts, ...closed], accountsPerCommitMax);
    const transactionPages = pagesOf(transactions, transactionsPerCommitMax);
    const commits = Math.max(accountPages.length, transactionPages.length, watermark === null ? 0 : 1);
    const counters = noCounts();
    for (let commit = 0; commit < commits; commit += 1) {
      const last = commit === commits - 1;
      const step = { accounts: accountPages[commit] ?? [], transactions: transactionPages[commit] ?? [] };
      await this.#applyStep({ ...step, watermark: last ? watermark : null }, counters);
    }
    return counters;
  }

  async #applyStep({ accounts, transactions, watermark }: Updates, counters: Counters): Promise<void> {
    const pending = new Pending();
    const touched = nothingTouched();
    await applyAccounts(accounts, this.#store, this.#claims, pending, touched);
    await applyTransactions(transactions, accounts, this.#store, this.#rules, pending, touched, this.#report);
    await this.#keepLowerSlots(pending, touched);
    await this.#addDependants(pending, touched, counters);
    const derived = await this.#derive(touched.assets.addresses(), pending);
    await this.#commit(
      {
        ...emptyChangeSet,
        ...assetChanges(derived, pending, touched),
        watermark,
        accounts: pending.states
          .values()
          .map((state) => ({ state, facts: deriveAccountFacts(state.current) })),
        linksAdded: pending.linksAdded(),
        linksRemoved: pending.linksRemoved(),
        assetsSeen: pending.seen.entries().map(({ address, value }) => ({ id: address, slot: value })),
        ledger: pending.ledger.values(),
      },
      counters,
    );
  }

  /** Keeps the slots that are lower than what the store holds; the assets concerned show another created slot. */
  async #keepLowerSlots(pending: Pending, touched: Touched): Promise<void> {
    for (const address of await this.#lowerSlots(pending, touched.seen)) touched.assets.add(address);
    for (const address of await this.#lowerSlots(pending, touched.partsSeen)) {
      touched.dependants.push(...(touched.partLists.get(address) ?? []));
    }
  }

  async #lowerSlots(pending: Pending, seen: AddressMap<number>): Promise<Uint8Array[]> {
    if (seen.size === 0) return [];
    const known = await this.#store.readSeenSlots(seen.addresses());
    const lowest = seen.entries().filter(({ value: slot }, index) => slot < (known[index] ?? Infinity));
    // An address may be seen as an asset and as a part of one.
    for (const { address, value: slot } of lowest) lower(pending.seen, address, slot);
    return lowest.map(({ address }) => address);
  }

  /**
   * Adds the assets that depend on changed accounts. A large crowd is committed first, on its own: should we be
   * stopped between, the change that concerns it is not stored yet and comes again.
   */
  async #addDependants(pending: Pending, touched: Touched, counters: Counters): Promise<void> {
    if (touched.dependants.length === 0) return;
    const own = new AddressSet();
    own.addAll(touched.assets.addresses());
    let crowd = new AddressSet();
    for await (const page of dependantPages(touched.dependants, this.#store, pending, this.#claims)) {
      crowd.addAll(page.filter((id) => !own.has(id)));
      if (crowd.size < fanOutPerCommitMax) continue;
      const derived = await this.#derive(crowd.addresses(), pending);
      await this.#commit({ ...emptyChangeSet, ...assetChanges(derived, pending, touched) }, counters);
      crowd = new AddressSet();
    }
    touched.assets.addAll(crowd.addresses());
  }

  async #derive(ids: readonly Uint8Array[], pending: Pending): Promise<Derivation[]> {
    const derived: Derivation[] = [];
    for (const page of pagesOf(ids, assetsPerRoundMax)) {
      const reader = new RoundReader(this.#store, pending, this.#report);
      derived.push(...(await deriveAssets(page, reader, this.#claims, this.#rules)));
    }
    return derived;
  }

  async #commit(changes: ChangeSet, counters: Counters): Promise<void> {
    if (isEmpty(changes)) return;
    const receipt = await this.#store.commit(changes);
    counters.commits += 1;
    counters.accountsChanged += changes.accounts.length;
    counters.assetsChanged += changes.assets.length;
    this.#options.onCommit?.(changes, receipt);
  }
}

const assetChanges = (
  derived: readonly Derivation[],
  pending: Pending,
  touched: Touched,
): Pick<ChangeSet, "assets" | "assetsRemoved" | "editions" | "editionsRemoved"> => {
  const assets: Asset[] = [];
  const assetsRemoved: Uint8Array[] = [];
  const editions = new AddressMap<Edition>();
  const gone = new AddressSet();
  // An edition row can only go with its account or with the link that named it.
  for (const link of pending.linksRemoved()) if (link.role === "edition") gone.add(link.target);
  for (const { id, asset, editions: proved, editionAddresses } of derived) {
    if (asset !== null) assets.push(asset);
    else if (touched.mayGo.has(id)) assetsRemoved.push(id);
    for (const edition of proved) editions.set(edition.address, edition);
    gone.addAll(editionAddresses.filter((address) => pending.states.has(address)));
  }
  const editionsRemoved = gone.addresses().filter((address) => !editions.has(address));
  return { assets, assetsRemoved, editions: editions.values(), editionsRemoved };
};

const isEmpty = (changes: ChangeSet): boolean =>
  changes.watermark === null &&
  [changes.accounts, changes.assets, changes.assetsRemoved, changes.assetsSeen, changes.editions].every(
    noItems,
  ) &&
  [changes.linksAdded, changes.linksRemoved, changes.editionsRemoved, changes.ledger].every(noItems);

const noItems = (list: readonly unknown[]): boolean => list.length === 0;
