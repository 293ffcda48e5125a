import type { ReadView, Slot } from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";

/** The reads of deriving, over a store without rows. */
export const emptyStates: StateReader = {
  readAccountStates: (addresses) => addresses.map(() => null),
  readLinks: () => [],
  readLinkPage: () => [],
  readLedger: (_, keys) => keys.map(() => null),
  readSeenSlots: (ids) => ids.map(() => null),
};

/** A view of an empty store. It has off-chain documents, and reports nothing as missing. */
export const emptyView = (slot: Slot, contents: ReadonlyMap<string, string>): ReadView => ({
  slot,
  coverage: { kind: "whole" },
  incompleteTrees: [],
  accounts: {
    findAccount: () => null,
    findAccounts: (addresses) => addresses.map(() => null),
    isClosed: () => false,
    listAccountsByDelegate: () => [],
    listHoldings: () => [],
    listLargestAccounts: () => [],
  },
  assets: {
    findAsset: () => null,
    getAssets: (ordinals) => ordinals.map(() => null),
    readContents: (uris, bytesMax = Number.MAX_SAFE_INTEGER) =>
      uris.map((uri) => {
        const parts = contents.get(uri);
        if (parts === undefined) return null;
        return { parts: Buffer.byteLength(parts) > bytesMax ? null : parts };
      }),
  },
  editions: {
    findMasterEdition: () => null,
    findEdition: () => null,
    listEditions: () => [],
    countEditions: () => 0,
  },
  search: { searchAssets: () => ({ total: 0, ordinals: [], cursor: null }) },
  terms: {
    storeId: "empty",
    changeSeq: 0,
    nextOrdinal: 0,
    listOrdinals: () => new Uint32Array(0),
    filterByName: () => new Uint32Array(0),
    listChanges: () => [],
    readFacts: (ids) => ids.map(() => null),
    readPositions: () => [],
  },
  close: () => {},
});
