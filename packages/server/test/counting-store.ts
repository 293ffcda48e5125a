import type { ReadView } from "@lamplight/core";
import type { SmallStore } from "./small-store.ts";

/** The real store, with its views counted and, where given, its searches replaced by one that waits. */
export const createCountingStore = (
  real: SmallStore,
  waiting?: { readonly search: () => Promise<never>; readonly cancel: () => void },
) => {
  let opened = 0;
  let closed = 0;
  const allClosed = Promise.withResolvers<void>();
  const viewSource = {
    openView: async (): Promise<ReadView> => {
      const view = await real.reader.openView("finalized");
      opened++;
      const { slot, terms, coverage, incompleteTrees } = view;
      return {
        slot,
        terms,
        coverage,
        incompleteTrees,
        read: (asked) =>
          waiting !== undefined && asked.kind === "search" ? waiting.search() : view.read(asked),
        cancel: () => waiting?.cancel(),
        close: () => {
          closed++;
          view.close();
          if (closed === opened) allClosed.resolve();
        },
      };
    },
  };
  return {
    viewSource,
    opened: () => opened,
    open: () => opened - closed,
    allClosed: () => allClosed.promise,
  };
};
