import type { IndexReader, IndexStore } from "@lamplight/core";

/** The reads that deriving needs, of a store or of a store with unfinalized slots laid over it. */
export type StateReader = Pick<
  IndexReader,
  "readAccountStates" | "readLinks" | "readLinkPage" | "readLedger" | "readSeenSlots"
>;

/** The store that the indexer reads states from and commits derived changes to. */
export type StateStore = StateReader & Pick<IndexStore, "commit" | "nextSet" | "readDerivation">;
