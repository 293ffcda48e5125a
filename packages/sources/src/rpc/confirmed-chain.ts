import type { Account, Slot, Transaction } from "@lamplight/core";
import type { AccountRow } from "./account-row.ts";
import type { FollowPlan } from "./follow-plan.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { TREE_OVERLAP_SLOTS } from "./limits.ts";
import { PendingSlots } from "./pending-slots.ts";
import type { RpcBase } from "./rpc-options.ts";
import { SlotLine } from "./slot-line.ts";
import { TreeWatch } from "./tree-watch.ts";

export interface ConfirmedChainOptions {
  readonly plan: FollowPlan;
  /** Name of the node, for messages. */
  readonly url: string;
  /** The store's finalized slot; 0 = it is empty. */
  readonly slot: Slot;
  /** Called with the reason when a bound is exceeded. Nothing is added from then on. */
  readonly onFull: (reason: string) => void;
}

/** A complete slot, with all updates since `parent`. */
export interface ConfirmedSlot {
  readonly slot: Slot;
  readonly parent: Slot;
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
}

/**
 * The state of the node's chain since the store was read: the followed accounts, the slots that can be emitted, and the
 * updates that wait for them. A rollback drops all of it.
 */
export class ConfirmedChain {
  readonly plan: FollowPlan;
  readonly known: KnownAccounts;
  readonly line: SlotLine;
  readonly pending = new PendingSlots();
  readonly #onFull: (reason: string) => void;
  #trees: readonly TreeWatch[] = [];

  constructor({ plan, url, slot, onFull }: ConfirmedChainOptions) {
    this.plan = plan;
    this.known = new KnownAccounts(plan, url);
    this.line = new SlotLine(slot);
    this.#onFull = onFull;
  }

  /**
   * Adds the store's accounts, which were emitted before.
   *
   * @param holdsAll - whether the store contains everything that is followed
   */
  async readStore(base: RpcBase, holdsAll: boolean, signal: AbortSignal): Promise<void> {
    const { programs } = this.plan;
    if (programs.finds) {
      // A program must be found before its accounts are remembered.
      for await (const account of base.readAccounts()) {
        signal.throwIfAborted();
        if (account.lamports > 0n) this.plan.note(account);
      }
      if (base.isWhole === true && holdsAll) programs.hold();
    }
    for await (const account of base.readAccounts()) {
      signal.throwIfAborted();
      this.known.remember(account);
    }
    const watch = async (tree: string): Promise<TreeWatch> =>
      new TreeWatch(tree, Math.max(0, (await base.readTreeSlot(tree)) - TREE_OVERLAP_SLOTS));
    this.#trees = await Promise.all(this.plan.trees.map(watch));
  }

  /** A notification of an account. @throws DumpFault */
  notify(row: AccountRow, slot: Slot): void {
    const account = this.known.take(row, slot);
    if (account !== null) this.addAccount(account);
  }

  /** A change waits until its slot is emitted. */
  addAccount(account: Account): void {
    if (this.pending.isFull) return;
    this.pending.addAccount(account);
    this.#assertRoom();
  }

  addTransactions(transactions: readonly Transaction[]): void {
    if (this.pending.isFull) return;
    for (const transaction of transactions) this.pending.addTransaction(transaction);
    this.#assertRoom();
  }

  /**
   * The watch of a tree; undefined where it is not followed. Starts the watches of trees found since the last call.
   */
  watchOf(tree: string): TreeWatch | undefined {
    const known = this.#trees.find((watch) => watch.tree === tree);
    if (known !== undefined || !this.plan.programs.finds || !this.plan.hasTree(tree)) return known;
    const watch = new TreeWatch(tree, 0);
    this.#trees = [...this.#trees, watch];
    return watch;
  }

  /** The next slot to emit, with its updates; null while none is complete. */
  next(): ConfirmedSlot | null {
    // Slots that wait for transactions of a tree delay all later slots.
    const held = this.#trees.map(({ holdFrom }) => (holdFrom === null ? Infinity : holdFrom - 1));
    const slot = this.line.next(this.pending, Math.min(Infinity, ...held));
    if (slot === null) return null;
    const parent = this.line.emitted;
    this.line.noteReported(slot);
    return { slot, parent, ...this.pending.take(slot) };
  }

  #assertRoom(): void {
    const { size, bytes, isFull } = this.pending;
    if (isFull) this.#onFull(`${size} changes wait, of ${bytes} bytes: more than are kept`);
  }
}
