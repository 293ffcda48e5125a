import { setTimeout as sleep } from "node:timers/promises";
import type { Account, Slot, Transaction } from "@lamplight/core";
import type { FollowPlan, ScanRegion } from "./follow-plan.ts";
import { FillMeter } from "./fill-meter.ts";
import type { FollowState } from "./follow-state.ts";
import { filledTransactionsMax, treeRetryMs, treeRetryMsMax } from "./limits.ts";
import { readAddresses, type ReadContext, readScan, type ReadSet } from "./read-accounts.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isLasting, isRefused, RpcForbidden } from "./rpc-fault.ts";
import type { FillProgress } from "./rpc-options.ts";
import type { HistoryContext } from "./tree-history.ts";
import type { TreeWatch } from "./tree-watch.ts";

/** How a reading is reported on. */
interface Reading {
  readonly plan: FollowPlan;
  readonly held: FollowPlan | null;
  readonly commitment: "confirmed" | "finalized";
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  readonly emit: (account: Account) => void;
  readonly emitTransactions: (transactions: readonly Transaction[]) => Promise<void>;
  /** Whether new accounts are reported, and known ones may be in where the node does not list them. */
  readonly isListening: boolean;
  /** Subscribes to a set before it is read; resolves with whether it was new. Null without a WebSocket. */
  readonly listen: ((scan: ScanRegion) => Promise<boolean>) | null;
  /** Of a filling; null = what is read may wait to be reported. */
  readonly meter: FillMeter | null;
  readonly say: (line: string) => void;
}

export interface ReaderOptions {
  readonly say: (line: string) => void;
  /** How far a filling is. */
  readonly onProgress: (progress: FillProgress) => void;
  /** What concerns one transaction, or passes. */
  readonly onProblem: (error: unknown) => void;
  /** What the node does not do, and is gone on without. */
  readonly onRefused: (reason: string, cause: unknown) => void;
}

/** Reads what is followed: everything in rounds, and transactions of a tree when it was written. */
export class RescanReader {
  readonly #state: FollowState;
  readonly #client: RpcClient;
  readonly #options: ReaderOptions;

  constructor(state: FollowState, client: RpcClient, options: ReaderOptions) {
    this.#state = state;
    this.#client = client;
    this.#options = options;
  }

  /**
   * A round at confirmed: what differs from what is known waits to be reported.
   *
   * @returns highest slot of its answers
   */
  read(minSlot: Slot, signal: AbortSignal, listen: Reading["listen"] = null): Promise<Slot> {
    return this.#readEverything({ ...this.#live(minSlot, signal), isListening: listen !== null, listen });
  }

  /**
   * The first round: final accounts, reported at once; resolves when all is reported. A reading of everything has to follow,
   * for its answers are of many slots: no one is answered from them.
   */
  async fill(signal: AbortSignal): Promise<void> {
    const { bell, filling, line, fillPlan } = this.#state;
    const { say } = this.#options;
    await bell.until(() => line.root > 0, signal);
    const slot = await this.#readEverything({
      plan: fillPlan,
      held: this.#state.held,
      commitment: "finalized",
      minSlot: Math.max(line.root, line.reported),
      signal,
      emit: (account) => filling.addAccount(account),
      emitTransactions: async (transactions) => {
        for (const transaction of transactions) filling.addTransaction(transaction);
        bell.ring();
        await bell.until(() => filling.size < filledTransactionsMax, signal);
      },
      isListening: false,
      listen: null,
      meter: new FillMeter(partsOf(fillPlan), this.#options.onProgress),
      say,
    });
    this.#state.filledAt = slot;
    bell.ring();
    await bell.until(() => this.#state.isFilled, signal);
    say(`everything is read, up to slot ${slot}; now what changed meanwhile is`);
  }

  /** A single account was written in a slot: when it is a tree, its transactions are fetched before that slot is reported. */
  noteWritten(address: string, slot: Slot, signal: AbortSignal): void {
    if (!this.#state.isFilled) return;
    const watch = this.#state.watchOf(address);
    if (watch !== undefined && watch.want(slot)) void this.#fetchTree(watch, signal);
  }

  async #fetchTree(watch: TreeWatch, signal: AbortSignal): Promise<void> {
    let reported = "";
    for (let fruitless = 0; watch.isBehind && !signal.aborted;) {
      if (fruitless > 0) {
        const waitMs = Math.min(treeRetryMs * 2 ** (fruitless - 1), treeRetryMsMax);
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
      fruitless += 1;
      try {
        if ((await watch.catchUp(this.#historyOf(this.#live(0, signal)))) > 0) fruitless = 0;
      } catch (error) {
        if (signal.aborted) return;
        // The same again and again is reported once.
        if ((error as Error).message !== reported) this.#options.onProblem(error);
        reported = (error as Error).message;
      }
      this.#state.bell.ring();
    }
  }

  #live(minSlot: Slot, signal: AbortSignal): Reading {
    const state = this.#state;
    return {
      plan: state.plan,
      held: null,
      commitment: "confirmed",
      minSlot,
      signal,
      emit: (account) => state.waitWith(account),
      emitTransactions: async (transactions) => {
        state.waitWithAll(transactions);
      },
      isListening: false,
      listen: null,
      meter: null,
      say: () => {},
    };
  }

  async #readEverything(reading: Reading): Promise<Slot> {
    const state = this.#state;
    const { bell, known, horizon } = state;
    const { plan, meter } = reading;
    const startedMs = Date.now();
    const onBytes = (bytes: number, total: number | null): void => meter?.noteBytes(bytes, total);
    const context: ReadContext = { ...reading, client: this.#client, known, horizon, onBytes };
    let [lowest, highest] = [Infinity, reading.minSlot];
    const note = (slot: Slot): void => {
      lowest = Math.min(lowest, slot);
      highest = Math.max(highest, slot);
    };
    for (const slot of await this.#readScans(reading, context)) note(slot);
    for (const slot of await readAddresses([...plan.singles], context)) note(slot);
    meter?.endPart(plan.singles.size);
    meter?.setParts(partsOf(plan));
    for (const watch of plan.trees.flatMap((tree) => state.watchOf(tree) ?? [])) {
      const onProgress = (done: number, total: number): void => meter?.noteTransactions(done, total);
      const count = await watch.catchUp({ ...this.#historyOf(reading), minSlot: highest, onProgress });
      reading.say(`tree ${watch.tree}: ${count} transactions`);
      meter?.endPart(count);
    }
    known.forgetClosed(highest);
    state.rescanStartedMs = startedMs;
    state.rescanTookMs = Date.now() - startedMs;
    state.rescanSlot = lowest;
    bell.ring();
    return highest;
  }

  /** Every set of the plan; some are found while others are read. @returns slots of the answers */
  async #readScans(reading: Reading, context: ReadContext): Promise<readonly Slot[]> {
    const { plan, meter, signal } = reading;
    const { bell, line } = this.#state;
    const read = new Set<ScanRegion>();
    const slots: Slot[] = [];
    for (;;) {
      const scan = plan.scans.find((each) => !read.has(each));
      if (scan === undefined) break;
      read.add(scan);
      const isNew = (await reading.listen?.(scan)) === true;
      const minSlot = isNew ? Math.max(context.minSlot, line.heard) : context.minSlot;
      const set = await this.#readScan(scan, reading, { ...context, minSlot });
      if (set === null) continue;
      for (const slot of set.slots) slots.push(slot);
      plan.programs.noteRead(
        scan,
        set.slots.reduce((newest, slot) => Math.max(newest, slot), minSlot),
      );
      reading.say(`${scan.name}: ${set.count} accounts at slot ${set.slots.at(-1) ?? minSlot}`);
      bell.ring();
      meter?.setParts(partsOf(plan));
      // One set in memory at a time.
      if (meter !== null) await this.#untilStored(meter, signal);
    }
    if (plan.programs.finds && plan.scans.length === 0)
      throw new RpcForbidden("it does not list any program");
    return slots;
  }

  /** A node that lists nothing is asked for what is known, since new accounts are reported. Null = left out. */
  async #readScan(scan: ScanRegion, reading: Reading, context: ReadContext): Promise<ReadSet | null> {
    const { refusedScans, known } = this.#state;
    const { programs } = reading.plan;
    try {
      const set = await readScan(scan, context);
      refusedScans.delete(scan.name);
      return set;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (!programs.isHeld(scan)) {
        programs.drop(scan);
        this.#options.onRefused(notCovered(scan, error), error);
        return null;
      }
      if (reading.commitment === "finalized" && (error instanceof RpcForbidden || isLasting(error.code))) {
        const hint = "load its accounts first, from dumps or a ledger snapshot";
        throw new RpcForbidden(`it does not list ${scan.name} (${error.message}); ${hint}`, { cause: error });
      }
      if (!reading.isListening) throw error;
      if (!refusedScans.has(scan.name)) this.#options.onRefused(withoutScan(scan, error), error);
      refusedScans.add(scan.name);
    }
    const addresses = known.membersOf(scan);
    return { slots: await readAddresses(addresses, context), count: addresses.length };
  }

  async #untilStored(meter: FillMeter, signal: AbortSignal): Promise<void> {
    const { bell, filling } = this.#state;
    const total = filling.size;
    const isStored = (): boolean => {
      meter.noteStored(total - filling.size, total);
      return filling.size === 0;
    };
    await bell.until(isStored, signal);
    meter.endPart(total);
  }

  #historyOf({ commitment, minSlot, signal, emitTransactions }: Reading): HistoryContext {
    const { onProblem } = this.#options;
    const onProgress = noProgress;
    return {
      client: this.#client,
      horizon: this.#state.horizon,
      commitment,
      minSlot,
      signal,
      emit: emitTransactions,
      onProgress,
      onProblem,
    };
  }
}

/** The scans, the single accounts, and each tree. */
const partsOf = ({ scans, trees }: FollowPlan): number => scans.length + 1 + trees.length;

const notCovered = ({ name }: ScanRegion, { message }: Error): string =>
  `it does not list ${name} (${message}): the accounts that belong to it are not covered`;

const withoutScan = ({ name }: ScanRegion, { message }: Error): string =>
  `it does not list ${name} (${message}); its known accounts are read by address. An account created while disconnected is unknown until its next write`;

const noProgress = (): void => {};
