import type { Account, Slot, Transaction, Watermark } from "@lamplight/core";
import type { AccountRow } from "./account-row.ts";
import { ConditionVariable } from "./condition-variable.ts";
import { FollowPlan } from "./follow-plan.ts";
import { KnownAccounts } from "./known-accounts.ts";
import { slotsAheadMax, treeOverlapSlots } from "./limits.ts";
import { PendingSlots } from "./pending-slots.ts";
import type { RpcBase } from "./rpc-options.ts";
import { RpcTrouble } from "./rpc-fault.ts";
import { SlotHorizon } from "./slot-horizon.ts";
import { SlotLine } from "./slot-line.ts";
import { TreeWatch } from "./tree-watch.ts";

/** Everything that is known of a node's chain and of what was reported on: shared by who listens, who reads and who reports. */
export class FollowState {
  readonly plan: FollowPlan;
  /** What a filling reads, and what it leaves alone, since the store holds that as of its watermark. */
  readonly fillPlan: FollowPlan;
  readonly held: FollowPlan | null;
  /** Where the store was at the start. */
  readonly watermark: Watermark | null;
  readonly known: KnownAccounts;
  readonly line: SlotLine;
  readonly horizon = new SlotHorizon();
  /** Known and not reported on. */
  readonly pending = new PendingSlots();
  /** What a first filling brought: final, and reported at once. */
  readonly filling = new PendingSlots();
  /** Rings when something of this changed. */
  readonly bell = new ConditionVariable();
  trees: readonly TreeWatch[] = [];
  /** Whether everything that is followed was read for the store once. */
  isFilled: boolean;
  /** Slot of a filling that is done and not yet reported. */
  filledAt: Slot | null = null;
  /** Last slot reported to be final: what the store is at. */
  finalSlot: Slot;
  /** Reported slots have to be rolled back, once nothing is under way any more. */
  mustRollBack = false;
  /** What is known has to be read from the store. */
  mustRemember = true;
  rollbacks = 0;
  /** Names of scans that the node refuses. */
  readonly refusedScans = new Set<string>();
  /** Sessions end. */
  onRollBack: (reason: string) => void = () => {};
  nodeSlot: Slot = 0;
  notifications = 0;
  lastMessageMs: number | null = null;
  /** When the node reported of a slot. */
  lastHeardMs = 0;
  rescanStartedMs: number | null = null;
  rescanSlot: Slot = 0;
  /** How long the last reading of everything took. */
  rescanTookMs = 0;

  /** @param url - name of the node, for messages */
  constructor(plan: FollowPlan, { watermark, lacking }: RpcBase, url: string) {
    this.plan = plan;
    this.watermark = watermark;
    if (watermark !== null && lacking !== null) {
      this.fillPlan = new FollowPlan(lacking);
      this.held = plan.without(lacking);
    } else [this.fillPlan, this.held] = [plan, null];
    this.known = new KnownAccounts(plan, url);
    this.isFilled = watermark !== null && lacking === null;
    this.finalSlot = watermark?.slot ?? 0;
    this.line = new SlotLine(this.finalSlot);
  }

  /** Starts from what the store holds: that is what was reported. */
  async remember(base: RpcBase, signal: AbortSignal): Promise<void> {
    const { readAccounts, readTreeSlot } = base;
    this.known.clear();
    const { programs } = this.plan;
    if (programs.finds) {
      // Before the accounts of a program are remembered it has to be found.
      for await (const account of readAccounts()) {
        signal.throwIfAborted();
        if (account.lamports > 0n) this.plan.note(account);
      }
      if (base.isWhole === true && this.isFilled) programs.hold();
    }
    for await (const account of readAccounts()) {
      signal.throwIfAborted();
      this.known.remember(account);
    }
    const watch = async (tree: string): Promise<TreeWatch> =>
      new TreeWatch(tree, Math.max(0, (await readTreeSlot(tree)) - treeOverlapSlots));
    this.trees = await Promise.all(this.plan.trees.map(watch));
    this.mustRemember = false;
  }

  /** @throws RpcTrouble, DumpFault */
  hear(row: AccountRow, slot: Slot | null): Slot {
    if (slot === null) throw new RpcTrouble("an account notification has no slot");
    this.horizon.assertNear(slot, "an account notification");
    // Not known to be final, and the filling may be of another fork: after it everything is read.
    if (!this.isFilled) return slot;
    const account = this.known.take(row, slot);
    if (account !== null) this.waitWith(account);
    return slot;
  }

  /** The watch of a tree; those of trees that were found in the meantime are started. */
  watchOf(tree: string): TreeWatch | undefined {
    const known = this.trees.find((watch) => watch.tree === tree);
    if (known !== undefined || !this.plan.programs.finds || !this.plan.hasTree(tree)) return known;
    const watch = new TreeWatch(tree, 0);
    this.trees = [...this.trees, watch];
    return watch;
  }

  /** What is news waits until its slot is reported; when too much waits, it is given up and read again. */
  waitWith(account: Account): void {
    if (this.mustRollBack) return;
    this.pending.addAccount(account);
    this.#assertRoom();
  }

  /** As `waitWith`. */
  waitWithAll(transactions: readonly Transaction[]): void {
    if (this.mustRollBack) return;
    for (const transaction of transactions) this.pending.addTransaction(transaction);
    this.#assertRoom();
  }

  /** Slots that were reported, and what waits, are given up. */
  rollBack(reason: string): void {
    if (this.mustRollBack) return;
    this.mustRollBack = true;
    this.rollbacks += 1;
    this.onRollBack(reason);
    this.bell.ring();
  }

  /** @throws RpcTrouble */
  noteRoot(slot: unknown): void {
    if (this.line.noteRoot(this.horizon.assertNear(slot, "the root"))) this.bell.ring();
  }

  /** @throws RpcTrouble */
  noteNodeSlot(slot: unknown): void {
    this.nodeSlot = Math.max(this.nodeSlot, this.horizon.assertNear(slot, "a slot notification"));
  }

  /**
   * The node was asked where it is.
   *
   * @throws RpcTrouble when that is far behind what it is to go on from
   */
  assertWithin(newest: Slot): void {
    const { reported } = this.line;
    const { highest } = this.horizon;
    if (this.isFilled && highest > newest + slotsAheadMax) {
      // The node was of one mind about it twice: anything that was read then may have such slots, and older ones never win.
      this.horizon.giveUp();
      this.line.forgetRoot();
      this.nodeSlot = 0;
      const doubt = `the node is at slot ${newest}, and was believed to be at ${highest}`;
      this.rollBack(doubt);
      throw new RpcTrouble(doubt);
    }
    if (reported <= newest + slotsAheadMax) return;
    const reason = `the node is at slot ${newest}, far behind slot ${reported}`;
    // What was reported last can be rolled back, down to what is final.
    if (reported > this.finalSlot) this.rollBack(`${reason} that it reported before`);
    throw new RpcTrouble(`${reason} of the store`);
  }

  #assertRoom(): void {
    const { size, bytes, isFull } = this.pending;
    if (isFull) this.rollBack(`${size} changes wait, of ${bytes} bytes: more than are kept`);
  }

  /** Lowest slots that wait for transactions of a tree hold back all above them. */
  ceiling(): Slot {
    const held = this.trees.map(({ holdFrom }) => (holdFrom === null ? Infinity : holdFrom - 1));
    return Math.min(Infinity, ...held);
  }
}
