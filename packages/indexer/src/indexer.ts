import type { Account, ChangeSet, CommitReceipt, Transaction, Watermark } from "@lamplight/core";
import { ClaimReader } from "./engine/claims.ts";
import type { Delta } from "./engine/delta.ts";
import { derive, stepsOf, type StepUpdates } from "./engine/derive.ts";
import type { StateStore } from "./engine/state-reader.ts";
import { VersionMemory } from "./engine/version-memory.ts";
import { ruleBook } from "./programs/programs.ts";
import type { ReportProblem } from "./rules/rules.ts";

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
  apply(updates: StepUpdates): Promise<ApplySummary>;
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
  const { onCommit, onProblem: report = () => {}, closeFromTransactions = true } = options;
  const tools = {
    rules: ruleBook,
    claims: new ClaimReader(ruleBook.accounts),
    memory: new VersionMemory(),
    report,
  };
  const applyAll = async (updates: StepUpdates): Promise<ApplySummary> => {
    const counters = { commits: 0, accountsChanged: 0, assetsChanged: 0 };
    const commit = async (delta: Delta): Promise<void> => {
      if (delta.isEmpty) return;
      const receipt = await store.commit(delta);
      counters.commits += 1;
      counters.accountsChanged += delta.writes.size;
      counters.assetsChanged += receipt.ordinals.length;
      onCommit?.(delta, receipt);
    };
    for (const step of stepsOf(updates, ruleBook, closeFromTransactions))
      await commit(await derive(store, step, { ...tools, keepCrowd: commit }));
    return counters;
  };
  // One writer, one step at a time: what is read for a commit must still be true when it is made.
  let turn: Promise<unknown> = Promise.resolve();
  const apply = (updates: StepUpdates): Promise<ApplySummary> => {
    const applied = turn.then(() => applyAll(updates));
    turn = applied.catch(() => undefined);
    return applied;
  };
  return {
    apply,
    applyAccounts: (accounts, watermark) => apply({ accounts, transactions: [], watermark }),
    applyTransactions: (transactions, watermark) => apply({ accounts: [], transactions, watermark }),
  };
};
