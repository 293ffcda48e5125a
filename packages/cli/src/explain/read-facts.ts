// This file turns reads and their answers into plain facts, which text and JSON show alike.

import { encodeAddress, type TreeTop } from "@lamplight/codecs";
import type { Account, AnswerTo, Holding, Read, ReadKind, StoredAsset, StoredContent } from "@lamplight/core";

/** JSON with exact numbers. Members that are undefined are left out. */
export type Facts =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Facts[]
  | { readonly [name: string]: Facts };

/** The members of a read, addresses in base58. */
export const askedFacts = (read: Read): Facts =>
  plainFacts(Object.fromEntries(Object.entries(read).filter(([name]) => name !== "kind")));

/** Facts of what a store answered. */
export const foundFacts = <Kind extends ReadKind>(kind: Kind, answer: AnswerTo<Kind>): Facts =>
  found[kind](answer);

const ADDRESS_BYTES = 32;

/** Addresses in base58, other bytes by their number. */
export const plainFacts = (value: unknown): Facts => {
  if (value instanceof Uint8Array)
    return value.length === ADDRESS_BYTES ? encodeAddress(value) : { bytes: value.length };
  if (Array.isArray(value)) return value.map(plainFacts);
  if (typeof value !== "object" || value === null) return value as Facts;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainFacts(member)]));
};

export const accountFacts = (account: Account | null): Facts =>
  account === null
    ? null
    : {
        owner: encodeAddress(account.programOwner),
        lamports: account.lamports,
        bytes: account.data.length,
        slot: account.slot,
        writeVersion: account.writeVersion,
      };

const bytesOf = (text: string | null): number | undefined =>
  text === null ? undefined : Buffer.byteLength(text);

const assetFacts = ({ document, extras }: StoredAsset) => ({
  documentBytes: bytesOf(document),
  extrasBytes: bytesOf(extras),
});

const contentFacts = (content: StoredContent | null): Facts =>
  content === null ? null : { bytes: bytesOf(content.parts) };

/** A list with the number of those in it that are there. */
const listFacts = (list: readonly unknown[]): Facts => ({
  count: list.length,
  found: list.filter((one) => one !== null).length,
});

const accountListFacts = (accounts: readonly (Pick<Account, "slot"> | null)[]): Facts => {
  const slots = accounts.flatMap((account) => account?.slot ?? []);
  const isAll = slots.length === accounts.length;
  return {
    count: accounts.length,
    found: isAll ? undefined : slots.length,
    newestSlot: slots.length === 0 ? undefined : slots.reduce((a, b) => Math.max(a, b)),
  };
};

const holdingFacts = (holdings: readonly Holding[]): Facts => ({
  count: holdings.length,
  positive: holdings.filter(({ positive }) => positive).length,
});

const mintFacts = (mint: Account | null): Facts =>
  mint === null ? null : { address: encodeAddress(mint.address), ...(accountFacts(mint) as object) };

const editionFacts = ({ address, parent, mint, number }: NonNullable<AnswerTo<"edition">>): Facts => ({
  address: encodeAddress(address),
  parent: encodeAddress(parent),
  mint: encodeAddress(mint),
  number,
});

const editionListFacts = (editions: AnswerTo<"editions">) => ({
  count: editions.length,
  first: editions[0]?.number,
  last: editions.at(-1)?.number,
});

const treeTopFacts = ({ depth, leafCount, canopy }: TreeTop): Facts => ({
  depth,
  leafCount,
  canopyBytes: canopy.length,
});

const found: { readonly [Kind in ReadKind]: (answer: AnswerTo<Kind>) => Facts } = {
  account: accountFacts,
  accountWithMint: ({ account, mint }) => ({ account: accountFacts(account), mint: mintFacts(mint) }),
  accounts: accountListFacts,
  isClosed: (isClosed) => ({ isClosed }),
  delegated: ({ mint, accounts, mints }) => ({
    mint: mintFacts(mint),
    accounts: accountListFacts(accounts),
    mints: mints === null ? undefined : accountListFacts(mints),
  }),
  moreDelegated: accountListFacts,
  holdings: holdingFacts,
  walletHoldings: holdingFacts,
  tokenAccounts: accountListFacts,
  heldAccounts: (accounts) => (accounts === null ? null : accountListFacts(accounts)),
  holders: (holders) => ({ count: holders.length, amountOfFirst: holders[0]?.amount }),
  holderCount: ({ positive, empty }) => ({ positive, empty }),
  holderPage: ({ count, accounts }) => ({ ...count, ...(accountListFacts(accounts) as object) }),
  largest: (accounts) => ({ count: accounts.length, lamportsOfFirst: accounts[0]?.lamports }),
  asset: (asset) =>
    asset === null
      ? null
      : {
          ...assetFacts(asset.own),
          updatedSlot: asset.updatedSlot,
          isTreeIncomplete: asset.incompleteTree !== null || undefined,
          offchainDocument: contentFacts(asset.content),
          collection: asset.collection === null ? null : assetFacts(asset.collection),
        },
  ownAsset: (asset) => (asset === null ? null : { ...assetFacts(asset), updatedSlot: asset.updatedSlot }),
  isTreeIncomplete: (isTreeIncomplete) => ({ isTreeIncomplete }),
  ledger: listFacts,
  treeTop: (top) => (top === null ? null : treeTopFacts(top)),
  leafPath: (path) =>
    path === null
      ? null
      : {
          leafIndex: path.leaf.nonce,
          blocks: path.blocks.filter((block) => block !== null).length,
          tree: path.top === null ? null : treeTopFacts(path.top),
        },
  ownAssets: listFacts,
  contents: listFacts,
  packedAssets: ({ sizes, bytes, inheriting }) => ({
    count: sizes.length,
    tooLarge: sizes.filter((size) => size === 0).length || undefined,
    bytes: bytes.length,
    inheriting: inheriting.size,
  }),
  packedContents: ({ places, bytes }) => ({
    count: places.length,
    found: places.filter((place) => place !== null).length,
    bytes: bytes.length,
  }),
  itemCache: (items) => (items === null ? null : { isCached: true }),
  edition: (edition) => (edition === null ? null : editionFacts(edition)),
  editions: editionListFacts,
  editionCount: (count) => ({ count }),
  editionPage: ({ master, count, editions, hasMore }) => ({
    master: master === null ? null : { ...master, address: encodeAddress(master.address) },
    total: count,
    ...editionListFacts(editions),
    hasMore,
  }),
  search: ({ total, ordinals, cursor }) => ({ total, ordinals, hasMore: cursor !== null }),
};
