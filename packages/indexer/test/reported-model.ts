import type {
  Account,
  Commitment,
  ChainEvent,
  FillEvent,
  Coverage,
  ViewSource,
  Slot,
  Transaction,
} from "@lamplight/core";
import { createIndexer } from "../src/indexer.ts";
import { NaiveStore } from "./naive-store.ts";

/** The state of a line of confirmed slots, reported event by event: naive stores, one per slot that is not final. */
export class ReportedModel implements ViewSource {
  #finalized = new NaiveStore();
  /** Slots above it, oldest first. */
  #reported: NaiveStore[] = [];
  /** Reports of the filling and of slots that were not rolled back, in order. */
  #line: ReportedOnce[] = [];

  constructor(coverage: Coverage) {
    this.#finalized.coverage = coverage;
  }

  /** The caller calls it after the indexer has applied the event. */
  async take(event: FillEvent | ChainEvent): Promise<void> {
    switch (event.kind) {
      case "fill":
        return this.#applyToRoot({ ...event, slot: null });
      case "filled":
        return this.#applyToRoot({ accounts: [], transactions: [], slot: event.watermark.slot });
      case "confirmed": {
        const next = (this.#reported.at(-1) ?? this.#finalized).copy();
        await applyTo(next, event);
        this.#reported.push(next);
        this.#line.push(event);
        return;
      }
      case "slot":
        // The only status that such a source emits by itself.
        this.#finalized = this.#reported.findLast(({ slot }) => slot <= event.slot) ?? this.#finalized;
        this.#reported = this.#reported.filter(({ slot }) => slot > event.slot);
        return;
      case "rollback":
        this.forget();
        return;
      default:
        throw new Error(`an RPC node does not emit ${event.kind}`);
    }
  }

  /** A new process knows what is in the store, and nothing else. */
  forget(): void {
    this.#reported = [];
    this.#line = this.#line.filter(({ slot }) => slot === null || slot <= this.#finalized.slot);
  }

  /** Gives a store everything that was reported up to the finalized slot, once and in order. */
  async reportAgain(store: Target): Promise<void> {
    for (const reported of this.#line)
      if (reported.slot === null || reported.slot <= this.#finalized.slot) await applyTo(store, reported);
  }

  #applyToRoot(reported: ReportedOnce): Promise<void> {
    this.#line.push(reported);
    return applyTo(this.#finalized, reported);
  }

  openView(commitment: Commitment): ReturnType<NaiveStore["openView"]> {
    const reported =
      commitment === "finalized" ? this.#finalized : (this.#reported.at(-1) ?? this.#finalized);
    return reported.openView();
  }
}

interface ReportedOnce {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** Null = of the filling. */
  readonly slot: Slot | null;
}

type Target = Parameters<typeof createIndexer>[0];

const applyTo = async (store: Target, { accounts, transactions, slot }: ReportedOnce): Promise<void> => {
  const watermark = slot === null ? null : { slot, blockhash: null };
  await createIndexer(store, { closeFromTransactions: false }).apply({ accounts, transactions, watermark });
};
