import { sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  answerJoined,
  type ReadHandlers,
  type LedgerState,
  nodesStateKey,
  packAssets,
  packContents,
  type ReadView,
  type Slot,
  type StoredContent,
} from "@lamplight/core";
import type { StateReader } from "../engine/state-reader.ts";
import { allNodesKept } from "../nodes/nodes-state.ts";

/** It keeps nodes of all trees that come, for proofs. */
const readLedger = (keys: readonly AddressBytes[]): (LedgerState | null)[] =>
  keys.map((key) => (sameBytes(key, nodesStateKey) ? allNodesKept : null));

/** The reads of deriving, over a store without rows. */
export const emptyStates: StateReader = {
  readAccountStates: async (addresses) => addresses.map(() => null),
  readLinks: async () => [],
  readLinkPage: async () => [],
  readLedger: async (_, keys) => readLedger(keys),
  readSeenSlots: async (ids) => ids.map(() => null),
};

const emptyHandlers = (contents: ReadonlyMap<string, string>): ReadHandlers<ReadView> => {
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
    heldAccounts: () => [],
    tokenAccounts: () => [],
    holders: () => [],
    holderCount: () => ({ positive: 0, empty: 0 }),
    holderPage: () => ({ count: { positive: 0, empty: 0 }, accounts: [] }),
    largest: () => [],
    asset: () => null,
    ownAsset: () => null,
    isTreeIncomplete: () => false,
    ledger: (_, { keys }) => readLedger(keys),
    treeTop: () => null,
    leafPath: () => null,
    ownAssets: (_, { ordinals }) => ordinals.map(() => null),
    contents: (_, { uris, bytesMax }) => contentsOf(uris, bytesMax),
    packedAssets: (_, { ordinals }) => packAssets(ordinals.map(() => null)),
    packedContents: (_, { uris, bytesMax }) => packContents(contentsOf(uris, bytesMax)),
    itemCache: () => null,
    edition: () => null,
    editions: () => [],
    editionCount: () => 0,
    editionPage: () => ({ master: null, count: 0, editions: [], hasMore: false }),
    search: () => ({ total: 0, ordinals: [], cursor: null }),
  };
};

/** A view of an empty store. It has off-chain documents, and reports nothing as missing. */
export const emptyView = (slot: Slot, contents: ReadonlyMap<string, string>): ReadView => ({
  slot,
  coverage: { kind: "whole" },
  incompleteTrees: [],
  read(asked) {
    return emptyHandlers(contents)[asked.kind](this, asked);
  },
  terms: {
    storeId: "empty",
    changeSeq: 0,
    nextOrdinal: 0,
    listOrdinals: async () => new Uint32Array(0),
    filterByName: async () => new Uint32Array(0),
    listChanges: async () => [],
    readFacts: async (ids) => ids.map(() => null),
    readPositions: async () => [],
  },
  close: () => {},
});
