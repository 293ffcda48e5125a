import { setImmediate as nextTurn } from "node:timers/promises";
import { type MaybePromise, type ReadView, type Slot, whenReady } from "@lamplight/core";

/** The newest state that was answered, by any worker that answers the same clients. */
export interface AnsweredState {
  /** Newest finalized slot. */
  readonly slot: Slot;
  /** See `UnfinalizedHead`. */
  readonly revision: number;
  /** Views at `confirmed` are never older. */
  readonly confirmedSlot: Slot;
  noteSlot(slot: Slot): void;
  noteRevision(revision: number): void;
  noteConfirmed(slot: Slot): void;
  /** Lowers it to what a store has that was restored to an older state. */
  lowerTo(restored: RestoredState): void;
}

/** A store has this after it was restored to an older state. */
export interface RestoredState {
  /** Newest finalized slot. */
  readonly slot: Slot;
  readonly confirmedSlot: Slot;
  readonly revision: number;
}

/**
 * Opens a view that is not older than an answer of another worker. So a client that reconnects to another worker never
 * goes back in time. Only a snapshot that was shared within a turn of the event loop can be older. After a restore
 * the store stays lower, and is answered as it is.
 *
 * @param open - called once or twice
 */
export const openAsNew = (
  open: () => MaybePromise<ReadView>,
  answered: Pick<AnsweredState, "slot" | "noteSlot"> | undefined,
): MaybePromise<ReadView> => {
  if (answered === undefined) return open();
  const note = (view: ReadView): ReadView => {
    answered.noteSlot(view.slot);
    return view;
  };
  return whenReady(open(), (view) => {
    if (view.slot >= answered.slot) return note(view);
    view.close();
    return nextTurn().then(open).then(note);
  });
};
