import {
  answerFrom,
  answerJoined,
  type Answers,
  packAssets,
  packContents,
  type ReadView,
  type Slot,
  type StoredContent,
} from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";

/** The reads of deriving, over a store without rows. */
export const emptyStates: StateReader = {
  readAccountStates: (addresses) => addresses.map(() => null),
  readLinks: () => [],
  readLinkPage: () => [],
  readLedger: (_, keys) => keys.map(() => null),
  readSeenSlots: (ids) => ids.map(() => null),
};

const emptyAnswers = (contents: ReadonlyMap<string, string>): Answers<ReadView> => {
  const contentsOf = (uris: readonly string[], bytesMax = Number.MAX_SAFE_INTEGER) =>
    uris.map((uri): StoredContent | null => {
      const parts = contents.get(uri);
      if (parts === undefined) return null;
      return { parts: Buffer.byteLength(parts) > bytesMax ? null : parts };
    });
  return {
    account: () => null,
    accountWithMint: answerJoined,
    accounts: (_, { addresses }) => addresses.map(() => null),
    isClosed: () => false,
    delegated: answerJoined,
    moreDelegated: () => [],
    holdings: () => [],
    walletHoldings: () => [],
    largest: () => [],
    asset: () => null,
    ownAsset: () => null,
    isTreeIncomplete: () => false,
    ledger: (_, { keys }) => keys.map(() => null),
    ownAssets: (_, { ordinals }) => ordinals.map(() => null),
    contents: (_, { uris, bytesMax }) => contentsOf(uris, bytesMax),
    packedAssets: (_, { ordinals }) => packAssets(ordinals.map(() => null)),
    packedContents: (_, { uris, bytesMax }) => packContents(contentsOf(uris, bytesMax)),
    itemCache: () => null,
    masterEdition: () => null,
    edition: () => null,
    editions: () => [],
    editionCount: () => 0,
    search: () => ({ total: 0, ordinals: [], cursor: null }),
  };
};

/** A view of an empty store. It has off-chain documents, and reports nothing as missing. */
export const emptyView = (slot: Slot, contents: ReadonlyMap<string, string>): ReadView => ({
  slot,
  coverage: { kind: "whole" },
  incompleteTrees: [],
  read(asked) {
    return answerFrom(emptyAnswers(contents), this, asked);
  },
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
