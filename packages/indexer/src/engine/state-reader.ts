import type { IndexReader, IndexStore } from "@lamplight/core";

/** What deriving reads: a store, or a store with unfinalized slots laid over it. */
export type StateReader = Pick<
  IndexReader,
  "readAccountStates" | "readLinks" | "readLinkPage" | "readLedger" | "readSeenSlots"
>;

/** Where the indexer puts what it derived. */
export type StateStore = StateReader & Pick<IndexStore, "commit">;
