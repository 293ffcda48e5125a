import { setTimeout as sleep } from "node:timers/promises";
import type { Account, Slot, Transaction } from "@lamplight/core";
import type { FollowPlan } from "./follow-plan.ts";
import type { ScanRegion } from "./scan-region.ts";
import type { ConditionVariable } from "./condition-variable.ts";
import { FillMeter } from "./fill-meter.ts";
import { CLOSED_SECONDS_KEPT, FILLED_TRANSACTIONS_MAX, TREE_RETRY_MS, TREE_RETRY_MS_MAX } from "./limits.ts";
import type { ConfirmedChain } from "./confirmed-chain.ts";
import type { PendingSlots } from "./pending-slots.ts";
import { readAddresses, type ReadContext, readScan, type ReadSet } from "./read-accounts.ts";
import type { RpcClient } from "./rpc-client.ts";
import { isLasting, isRefused, RpcForbidden } from "./rpc-fault.ts";
import type { FillProgress } from "./rpc-options.ts";
import type { SlotHorizon } from "./slot-horizon.ts";
import type { HistoryContext } from "./tree-history.ts";
import type { TreeWatch } from "./tree-watch.ts";

/** The parts that are read, and their receiver. */
interface Reading {
  readonly chain: ConfirmedChain;
  readonly plan: FollowPlan;
  readonly held: FollowPlan | null;
  readonly commitment: "confirmed" | "finalized";
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  readonly emit: (account: Account) => void;
  readonly emitTransactions: (transactions: readonly Transaction[]) => Promise<void>;
  /** Whether new accounts are notified, and known ones may belong to programs that the node does not list. */
  readonly isListening: boolean;
  /** Subscribes to a scan before it is read; resolves with whether it was new. Null without a WebSocket. */
  readonly listen: ((scan: ScanRegion) => Promise<boolean>) | null;
  /** Null = changes may wait to be emitted. */
  readonly fill: { readonly meter: FillMeter; readonly filling: PendingSlots } | null;
  readonly say: (line: string) => void;
}

/** The parts that a store lacks. */
interface FillOptions {
  /** Receives what is read until it is emitted. */
  readonly filling: PendingSlots;
  readonly plan: FollowPlan;
  /** Accounts to skip because the store has them; null = none. */
  readonly held: FollowPlan | null;
}

/** The last complete reading of everything. */
export interface Rescan {
  /** Null = there was none. */
  readonly startedMs: number | null;
  readonly tookMs: number;
  /** Lowest slot of its answers. */
  readonly slot: Slot;
}

export interface ReaderOptions {
  readonly say: (line: string) => void;
  /** The progress of a filling. */
  readonly onProgress: (progress: FillProgress) => void;
  /** Reports a problem of one transaction, or a temporary one. */
  readonly onProblem: (error: unknown) => void;
  /** Reports what the node does not support, and following continues without. */
  readonly onRefused: (reason: string, cause: unknown) => void;
}

/** Reads everything in rounds, and the transactions of a tree when it was written. */
export class RescanReader {
  /** The node's position: answers from far ahead are rejected. */
  readonly horizon: SlotHorizon;
  readonly #client: RpcClient;
  readonly #changed: ConditionVariable;
  readonly #options: ReaderOptions;
  #rescan: Rescan = { startedMs: null, tookMs: 0, slot: 0 };
  /** Names of scans that the node rejects. */
  readonly #refusedScans = new Set<string>();

  /** @param changed - rings when something was read, or emitted */
  constructor(client: RpcClient, horizon: SlotHorizon, changed: ConditionVariable, options: ReaderOptions) {
    this.#client = client;
    this.horizon = horizon;
    this.#changed = changed;
    this.#options = options;
  }

  get rescan(): Rescan {
    return this.#rescan;
  }

  /** Sets that the node does not list, and whose known members are read one by one. */
  get refusedScans(): number {
    return this.#refusedScans.size;
  }

  /**
   * A round at `confirmed`. Changes wait to be emitted.
   *
   * @returns highest slot of its answers
   */
  read(
    chain: ConfirmedChain,
    minSlot: Slot,
    signal: AbortSignal,
    listen: Reading["listen"] = null,
  ): Promise<Slot> {
    return this.#readEverything({
      ...this.#live(chain, minSlot, signal),
      isListening: listen !== null,
      listen,
    });
  }

  /**
   * The first round: finalized accounts. Its answers are of many slots, so a reading of everything has to follow.
   *
   * @returns highest slot of its answers, once all of them were emitted
   */
  async fill(
    chain: ConfirmedChain,
    { filling, plan, held }: FillOptions,
    signal: AbortSignal,
  ): Promise<Slot> {
    const changed = this.#changed;
    const { say } = this.#options;
    await changed.until(() => this.horizon.finalized > 0, signal);
    const slot = await this.#readEverything({
      chain,
      plan,
      held,
      commitment: "finalized",
      minSlot: Math.max(this.horizon.finalized, chain.line.emitted),
      signal,
      emit: (account) => filling.addAccount(account),
      emitTransactions: async (transactions) => {
        for (const transaction of transactions) filling.addTransaction(transaction);
        changed.ring();
        await changed.until(() => filling.size < FILLED_TRANSACTIONS_MAX, signal);
      },
      isListening: false,
      listen: null,
      fill: { meter: new FillMeter(partsOf(plan), this.#options.onProgress), filling },
      say,
    });
    await changed.until(() => filling.size === 0, signal);
    say(`everything is read, up to slot ${slot}; now the later changes are read`);
    return slot;
  }

  /**
   * A single account was written in a slot. If it is a tree, its transactions are fetched before that slot is
   * emitted.
   */
  noteWritten(chain: ConfirmedChain, address: string, slot: Slot, signal: AbortSignal): void {
    const watch = chain.watchOf(address);
    if (watch !== undefined && watch.want(slot)) void this.#fetchTree(chain, watch, signal);
  }

  async #fetchTree(chain: ConfirmedChain, watch: TreeWatch, signal: AbortSignal): Promise<void> {
    let reported = "";
    for (let fruitless = 0; watch.isBehind && !signal.aborted;) {
      if (fruitless > 0) {
        const waitMs = Math.min(TREE_RETRY_MS * 2 ** (fruitless - 1), TREE_RETRY_MS_MAX);
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
      fruitless += 1;
      try {
        if ((await watch.catchUp(this.#historyOf(this.#live(chain, 0, signal)))) > 0) fruitless = 0;
      } catch (error) {
        if (signal.aborted) return;
        // A repeated problem is reported once.
        if ((error as Error).message !== reported) this.#options.onProblem(error);
        reported = (error as Error).message;
      }
      this.#changed.ring();
    }
  }

  #live(chain: ConfirmedChain, minSlot: Slot, signal: AbortSignal): Reading {
    return {
      chain,
      plan: chain.plan,
      held: null,
      commitment: "confirmed",
      minSlot,
      signal,
      emit: (account) => chain.addAccount(account),
      emitTransactions: async (transactions) => {
        chain.addTransactions(transactions);
      },
      isListening: false,
      listen: null,
      fill: null,
      say: () => {},
    };
  }

  async #readEverything(reading: Reading): Promise<Slot> {
    const { chain, plan, fill } = reading;
    const { known } = chain;
    const meter = fill?.meter;
    const startedMs = performance.now();
    const onBytes = (bytes: number, total: number | null): void => meter?.noteBytes(bytes, total);
    const context: ReadContext = { ...reading, client: this.#client, horizon: this.horizon, known, onBytes };
    let [lowest, highest] = [Infinity, reading.minSlot];
    const note = (slot: Slot): void => {
      lowest = Math.min(lowest, slot);
      highest = Math.max(highest, slot);
    };
    for (const slot of await this.#readScans(reading, context)) note(slot);
    for (const slot of await readAddresses([...plan.singles], context)) note(slot);
    meter?.endPart(plan.singles.size);
    meter?.setParts(partsOf(plan));
    for (const watch of plan.trees.flatMap((tree) => chain.watchOf(tree) ?? [])) {
      const onProgress = (done: number, total: number): void => meter?.noteTransactions(done, total);
      const count = await watch.catchUp({ ...this.#historyOf(reading), minSlot: highest, onProgress });
      reading.say(`tree ${watch.tree}: ${count} transactions`);
      meter?.endPart(count);
    }
    for (const name of this.#refusedScans)
      if (!chain.plan.scans.some((scan) => scan.name === name)) this.#refusedScans.delete(name);
    known.forgetClosed(highest - this.horizon.rate.slotsIn(CLOSED_SECONDS_KEPT));
    this.#rescan = { startedMs, tookMs: performance.now() - startedMs, slot: lowest };
    this.#changed.ring();
    return highest;
  }

  /** Reads every scan of the plan. Some are found while others are read. @returns slots of the answers */
  async #readScans(reading: Reading, context: ReadContext): Promise<readonly Slot[]> {
    const { chain, plan, fill, signal } = reading;
    const read = new Set<ScanRegion>();
    const slots: Slot[] = [];
    for (;;) {
      const scan = plan.scans.find((each) => !read.has(each));
      if (scan === undefined) break;
      read.add(scan);
      const isNew = (await reading.listen?.(scan)) === true;
      const minSlot = isNew ? Math.max(context.minSlot, chain.line.received) : context.minSlot;
      const set = await this.#readScan(scan, reading, { ...context, minSlot });
      if (set === null) continue;
      for (const slot of set.slots) slots.push(slot);
      plan.programs.noteRead(
        scan,
        set.slots.reduce((newest, slot) => Math.max(newest, slot), minSlot),
      );
      reading.say(`${scan.name}: ${set.count} accounts at slot ${set.slots.at(-1) ?? minSlot}`);
      this.#changed.ring();
      // Memory holds one scan at a time.
      if (fill !== null) await this.#untilStored(fill, partsOf(plan), signal);
    }
    if (plan.programs.finds && plan.scans.length === 0)
      throw new RpcForbidden("it does not list any program");
    return slots;
  }

  /** If a node lists nothing, known accounts are read by address, because new ones are notified. Null = skip. */
  async #readScan(scan: ScanRegion, reading: Reading, context: ReadContext): Promise<ReadSet | null> {
    const refusedScans = this.#refusedScans;
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
    const addresses = reading.chain.known.membersOf(scan);
    return { slots: await readAddresses(addresses, context), count: addresses.length };
  }

  async #untilStored(
    { meter, filling }: NonNullable<Reading["fill"]>,
    parts: number,
    signal: AbortSignal,
  ): Promise<void> {
    meter.setParts(parts);
    const total = filling.size;
    const isStored = (): boolean => {
      meter.noteStored(total - filling.size, total);
      return filling.size === 0;
    };
    await this.#changed.until(isStored, signal);
    meter.endPart(total);
  }

  #historyOf({ commitment, minSlot, signal, emitTransactions }: Reading): HistoryContext {
    const { onProblem } = this.#options;
    const onProgress = noProgress;
    return {
      client: this.#client,
      horizon: this.horizon,
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
