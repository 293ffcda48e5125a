import {
  type Account,
  type Commitment,
  contentParts,
  type ViewSource,
  type ReadView,
  type Slot,
  type Transaction,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Delta, Path } from "../engine/delta.ts";
import { mergeDeltas } from "../engine/delta-draft.ts";
import type { ActiveRules } from "../next/active-rules.ts";
import { ruleBook } from "../programs/programs.ts";
import type { ReportProblem } from "../rules/rules.ts";
import { FinalizedFacts } from "./finalized-facts.ts";
import { deriveDelta } from "./derive-delta.ts";
import { emptyStates, emptyView } from "./empty-store.ts";
import { OverlayView } from "./overlay-view.ts";

/** It begins empty, so no rules came before. */
const ownRules: ActiveRules = { rules: ruleBook, next: null };

/** Slots by which views are behind the newest one (`lagSlots`). */
const OLD_SLOTS_KEPT = 256;

/** All writes of one slot. Its parent is the newest slot of the chain. */
export interface MemorySlotUpdates {
  readonly slot: Slot;
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
}

/** One slot with its changes. Older layers are merged, so that the path stays short. */
interface MemorySlot {
  readonly slot: Slot;
  readonly path: Path;
}

/** A saved state of the chain. It can be restored any number of times. */
export interface MemoryState {
  readonly slots: readonly MemorySlot[];
  readonly confirmed: Slot;
  readonly finalized: Slot;
}

/**
 * A chain in memory, without forks: the deltas of its slots over an empty store. Slots are derived by the same rules,
 * and views answer as those of a store do. It serves tests and sample chains of up to some 100,000 accounts.
 *
 * ```ts
 * const chain = new MemoryChain();
 * await chain.add({ slot: 1, accounts, transactions: [] });
 * chain.finalize(1);
 * ```
 */
export class MemoryChain implements ViewSource {
  /** Slots by which views are behind the newest one, as with an index that lags. */
  lagSlots = 0;
  /** Fetched off-chain documents by URI. */
  readonly #contents = new Map<string, string>();
  readonly #report: ReportProblem;
  #facts = new FinalizedFacts();
  #state: MemoryState = { slots: [], confirmed: -1, finalized: -1 };
  #turn: Promise<unknown> = Promise.resolve();

  /** @param onProblem - called for accounts and instructions that cannot be decoded */
  constructor(onProblem: ReportProblem = () => {}) {
    this.#report = onProblem;
  }

  /** Adds the off-chain document of a URI. Assets that name the URI show it. */
  putDocument(uri: string, json: string): void {
    const parts = contentParts(json);
    if (parts !== null) this.#contents.set(uri, parts);
  }

  /** Newest slot of a commitment, without lag; -1 before the first. */
  slotOf(commitment: Commitment): Slot {
    return this.#at(this.#limitOf(commitment))?.slot ?? -1;
  }

  /** Derives a slot over the newest one. Concurrent calls run one after the other. */
  add(updates: MemorySlotUpdates): Promise<void> {
    const added = this.#turn.then(() => this.#derive(updates));
    this.#turn = added.catch(() => undefined);
    return added;
  }

  /** Slots up to this one are confirmed. */
  confirm(slot: Slot): void {
    this.#state = { ...this.#state, confirmed: Math.max(slot, this.#state.confirmed) };
  }

  /** Slots up to this one are finalized. */
  finalize(slot: Slot): void {
    const finalized = Math.max(slot, this.#state.finalized);
    const newest = this.#state.slots.findLastIndex((one) => one.slot <= finalized);
    const slots = this.#state.slots.slice(Math.max(0, newest - OLD_SLOTS_KEPT));
    this.#state = { slots, finalized, confirmed: Math.max(finalized, this.#state.confirmed) };
  }

  /**
   * Removes all slots above this one.
   *
   * @throws LamplightError `CHAIN__FINALIZED` where one of them is finalized
   */
  rollback(slot: Slot): void {
    const { slots, confirmed, finalized } = this.#state;
    if (slot < finalized) throw new LamplightError("CHAIN__FINALIZED", { slot: slot + 1, finalized });
    this.#state = {
      slots: slots.filter((one) => one.slot <= slot),
      confirmed: Math.min(confirmed, slot),
      finalized,
    };
  }

  snapshot(): MemoryState {
    return this.#state;
  }

  restore(state: MemoryState): void {
    this.#state = state;
    this.#facts = new FinalizedFacts();
  }

  openView(commitment: Commitment): ReadView {
    const newest = this.#state.slots.at(-1)?.slot ?? -1;
    const one = this.#at(Math.min(this.#limitOf(commitment), newest - this.lagSlots)) ?? this.#state.slots[0];
    if (one === undefined) throw new LamplightError("STORE__LOADING", { retryAfterSeconds: 1 });
    return new OverlayView(one.slot, one.path, emptyView(one.slot, this.#contents), this.#facts);
  }

  #limitOf(commitment: Commitment): Slot {
    if (commitment === "processed") return Infinity;
    return commitment === "confirmed" ? this.#state.confirmed : this.#state.finalized;
  }

  #at(slot: Slot): MemorySlot | undefined {
    return this.#state.slots.findLast((one) => one.slot <= slot);
  }

  async #derive({ slot, accounts, transactions }: MemorySlotUpdates): Promise<void> {
    const below = this.#state.slots.at(-1)?.path ?? [];
    const options = { onProblem: this.#report, closeFromTransactions: false };
    const delta = await deriveDelta(emptyStates, below, { accounts, transactions }, ownRules, options);
    const { slots } = this.#state;
    this.#state = { ...this.#state, slots: [...slots, { slot, path: mergeSmall([delta, ...below]) }] };
  }
}

/** Below this size, merging costs more than reading through the layers. */
const MERGED_LAYERS_MIN = 3;

/**
 * Merges the newest layers while they are about as large as the one below. So the number of layers grows
 * logarithmically.
 */
const mergeSmall = (path: Path): Path => {
  const [newest] = path;
  if (newest === undefined) return path;
  let count = 1;
  let size = sizeOf(newest);
  while (count < path.length && 2 * size >= sizeOf(path[count]!)) size += sizeOf(path[count++]!);
  if (count < MERGED_LAYERS_MIN) return path;
  return [mergeDeltas(path.slice(0, count)), ...path.slice(count)];
};

const sizeOf = ({ writes, assetChanges, ledgerStates }: Delta): number =>
  1 + writes.size + assetChanges.size + ledgerStates.size;
