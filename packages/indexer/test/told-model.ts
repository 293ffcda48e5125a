import type {
  Account,
  Commitment,
  ConfirmedEvent,
  Coverage,
  Readable,
  Slot,
  Transaction,
} from "@lamplight/core";
import { createIndexer } from "../src/indexer.ts";
import { NaiveStore } from "./naive-store.ts";

/** What a line of confirmed slots comes to, told event by event: naive stores, one per slot that is not final. */
export class ToldModel implements Readable {
  #rooted = new NaiveStore();
  /** Above it, oldest first. */
  #told: NaiveStore[] = [];
  /** What is told of the filling and of slots that were not taken back, in order. */
  #line: ToldOnce[] = [];

  constructor(coverage: Coverage) {
    this.#rooted.coverage = coverage;
  }

  /** After what it tells has been done. */
  async take(event: ConfirmedEvent): Promise<void> {
    switch (event.kind) {
      case "fill":
        return this.#applyToRoot({ ...event, slot: null });
      case "filled":
        return this.#applyToRoot({ accounts: [], transactions: [], slot: event.watermark.slot });
      case "slot": {
        const next = (this.#told.at(-1) ?? this.#rooted).copy();
        await applyTo(next, event);
        this.#told.push(next);
        this.#line.push(event);
        return;
      }
      case "finalized":
        this.#rooted = this.#told.findLast(({ slot }) => slot <= event.slot) ?? this.#rooted;
        this.#told = this.#told.filter(({ slot }) => slot > event.slot);
        return;
      case "rewind":
        this.forget();
        return;
      default:
        return event satisfies never;
    }
  }

  /** A new process knows what is in the store, and nothing else. */
  forget(): void {
    this.#told = [];
    this.#line = this.#line.filter(({ slot }) => slot === null || slot <= this.#rooted.slot);
  }

  /** Gives a store everything that was told up to the root, once and in order. */
  async tellAgain(store: Target): Promise<void> {
    for (const told of this.#line)
      if (told.slot === null || told.slot <= this.#rooted.slot) await applyTo(store, told);
  }

  #applyToRoot(told: ToldOnce): Promise<void> {
    this.#line.push(told);
    return applyTo(this.#rooted, told);
  }

  openView(commitment: Commitment): ReturnType<NaiveStore["openView"]> {
    const told = commitment === "finalized" ? this.#rooted : (this.#told.at(-1) ?? this.#rooted);
    return told.openView();
  }
}

interface ToldOnce {
  readonly accounts: readonly Account[];
  readonly transactions: readonly Transaction[];
  /** Null = of the filling. */
  readonly slot: Slot | null;
}

type Target = Parameters<typeof createIndexer>[0];

const applyTo = async (store: Target, { accounts, transactions, slot }: ToldOnce): Promise<void> => {
  const watermark = slot === null ? null : { slot, blockhash: null };
  await createIndexer(store, { closeFromTransactions: false }).apply({ accounts, transactions, watermark });
};
