import {
  type Account,
  type ChangeSet,
  type CommitReceipt,
  emptyChangeSet,
  type NextProgress,
  type Transaction,
  type Watermark,
} from "@lamplight/core";
import { ClaimReader } from "./engine/claims.ts";
import type { Delta } from "./engine/delta.ts";
import { derive, stepsOf, type StepUpdates } from "./engine/derive.ts";
import type { StateStore } from "./engine/state-reader.ts";
import { VersionMemory } from "./engine/version-memory.ts";
import { withWholeBlocks } from "./engine/whole-blocks.ts";
import { type ActiveRules, beginNext, type DerivationOptions, openRules } from "./next/active-rules.ts";
import { derivations } from "./next/derivations.ts";
import { fillNext, finishNext } from "./next/fill-next.ts";
import type { ReportProblem } from "./rules/rules.ts";

export interface IndexerOptions extends DerivationOptions {
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
  /**
   * Derives one more page of assets by the rules of this version, where those of the store are older. After the last
   * page, all of them answer at once. Null = there is nothing to derive.
   */
  deriveMore(): Promise<NextProgress | null>;
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
  const memory = new VersionMemory();
  const toolsOf = (active: ActiveRules) => ({
    ...active,
    claims: new ClaimReader(active.rules.accounts),
    memory,
    report,
  });
  let tools: ReturnType<typeof toolsOf> | null = null;
  /** Another writer of this process may have made the next rules those of the store. */
  const currentTools = async (): Promise<ReturnType<typeof toolsOf>> => {
    const active = await openRules(store, options);
    const isSame =
      tools?.rules.version === active.rules.version && tools.next?.version === active.next?.version;
    return tools !== null && isSame ? tools : (tools = toolsOf(active));
  };
  const applyAll = async (updates: StepUpdates): Promise<ApplySummary> => {
    const used = await currentTools();
    const counters = { commits: 0, accountsChanged: 0, assetsChanged: 0 };
    const commit = async (delta: Delta): Promise<void> => {
      if (delta.isEmpty) return;
      const receipt = await store.commit(await withWholeBlocks(store, delta));
      counters.commits += 1;
      counters.accountsChanged += delta.writes.size;
      counters.assetsChanged += receipt.ordinals.length;
      onCommit?.(delta, receipt);
    };
    for (const step of stepsOf(updates, used.rules, closeFromTransactions))
      await commit(await derive(store, step, { ...used, keepCrowd: commit }));
    return counters;
  };
  const deriveMore = async (): Promise<NextProgress | null> => {
    const { current: next } = options.derivations ?? derivations;
    // The rules of the rows that answer are not needed, since nothing else is written.
    const { version } = await store.readDerivation();
    if (store.nextSet === undefined || version >= next.version) return null;
    await beginNext(store, next);
    const progress = await fillNext(store, next);
    if (!progress.isFilled) return progress;
    await finishNext(store, next, emptyChangeSet);
    return progress;
  };
  // One writer, one step at a time: what is read for a commit must still be true when it is made.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  const apply = (updates: StepUpdates): Promise<ApplySummary> => inTurn(() => applyAll(updates));
  return {
    apply,
    deriveMore: () => inTurn(deriveMore),
    applyAccounts: (accounts, watermark) => apply({ accounts, transactions: [], watermark }),
    applyTransactions: (transactions, watermark) => apply({ accounts: [], transactions, watermark }),
  };
};
