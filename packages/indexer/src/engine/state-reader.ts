import type { IndexReader, IndexStore, OffchainReader } from "@lamplight/core";

/** What deriving reads: a store, or a store with unrooted slots laid over it. */
export type StateReader = Pick<
  IndexReader,
  "readAccountStates" | "readLinks" | "readLinkPage" | "readLedger" | "readSeenSlots"
> & { readonly offchain?: Pick<OffchainReader, "readDocuments"> };

/** Where the indexer puts what it derived. */
export type StateStore = StateReader & Pick<IndexStore, "commit">;
