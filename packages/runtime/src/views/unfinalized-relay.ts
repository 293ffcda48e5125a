import { randomUUID } from "node:crypto";
import type {
  AddressBytes,
  ChangeSet,
  CommitReceipt,
  IndexStore,
  Slot,
  TermReader,
  UnfinalizedChange,
  UnfinalizedHead,
  UnfinalizedReader,
  UnfinalizedSlot,
  UnfinalizedState,
  UnfinalizedWriter,
  ViewSource,
  Watermark,
} from "@lamplight/core";

interface ShownSlot extends UnfinalizedSlot {
  readonly revision: number;
}

/**
 * Unfinalized slots in memory, from the thread that follows to the workers. Processes use the table `unrooted_slot`
 * for this. A commit and its published slots change in one turn, so each message to a worker is one consistent state.
 */
export class UnfinalizedRelay implements UnfinalizedReader {
  #writer: string = randomUUID();
  readonly #slots = new Map<Slot, ShownSlot>();
  #watermark: Watermark | null = null;
  #changeSeq = 0;
  #confirmedSlot: Slot = 0;
  #revision = 0;
  #store: Pick<IndexStore, "readAccountStates"> | null = null;

  /**
   * An overlay over that store publishes its slots to this writer. They are lost with the process, so there are none to
   * take over.
   *
   * @param viewSource - views of the same store
   */
  writerOver(
    store: Pick<IndexStore, "readWatermark" | "readAccountStates">,
    viewSource: ViewSource,
  ): UnfinalizedWriter {
    this.#store = store;
    return {
      takeOverUnfinalized: async () =>
        this.#beginAt(await store.readWatermark(), await readTerms(viewSource)),
      publishUnfinalized: async (change) => this.#show(change),
    };
  }

  #beginAt(
    watermark: Watermark | null,
    { changeSeq, history }: Pick<TermReader, "changeSeq" | "history">,
  ): Promise<UnfinalizedState> {
    this.#watermark = watermark;
    this.#changeSeq = changeSeq;
    this.#writer = history?.writer ?? this.#writer;
    this.#confirmedSlot = watermark?.slot ?? 0;
    this.#slots.clear();
    this.#revision += 1;
    return this.readUnfinalized(new Map());
  }

  #show({ added, dropped, confirmedSlot }: UnfinalizedChange): void {
    this.#revision += 1;
    for (const slot of dropped) this.#slots.delete(slot);
    for (const one of added) this.#slots.set(one.slot, { ...one, revision: this.#revision });
    this.#confirmedSlot = confirmedSlot;
  }

  /** The caller calls it in the same turn as the commit. */
  noteCommit({ watermark }: Pick<ChangeSet, "watermark">, { changeSeq }: CommitReceipt): void {
    this.#revision += 1;
    this.#changeSeq = changeSeq;
    if (watermark === null) return;
    this.#watermark = watermark;
    this.#confirmedSlot = Math.max(this.#confirmedSlot, watermark.slot);
    for (const slot of this.#slots.keys()) if (slot <= watermark.slot) this.#slots.delete(slot);
  }

  async readUnfinalizedHead(): Promise<UnfinalizedHead> {
    return this.#head();
  }

  #head(): UnfinalizedHead {
    return {
      watermark: this.#watermark,
      changeSeq: this.#changeSeq,
      confirmedSlot: this.#confirmedSlot,
      isWithdrawn: false,
      revision: this.#revision,
      writer: this.#writer,
    };
  }

  async readUnfinalized(known: ReadonlyMap<Slot, number>): Promise<UnfinalizedState> {
    const slots = [...this.#slots.values()]
      .toSorted((a, b) => a.slot - b.slot)
      .map((one) => (known.get(one.slot) === one.revision ? { ...one, body: null } : one));
    return { ...this.#head(), slots };
  }

  async readFinalizedData(address: AddressBytes): Promise<Uint8Array | null> {
    const [state] = (await this.#store?.readAccountStates([address])) ?? [];
    return state?.current.data ?? null;
  }
}

const readTerms = async (viewSource: ViewSource): Promise<TermReader> => {
  const view = await viewSource.openView("finalized");
  view.close();
  return view.terms;
};
