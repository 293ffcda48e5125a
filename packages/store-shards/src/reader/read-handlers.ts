import { type Account, answerJoined, type ReadHandlers, packAssets, type ReadView } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { searchWithoutIndex } from "./search-without-index.ts";
import type { OverlayAccounts, OverlayAssets, OverlayEditions } from "@lamplight/indexer";
import type { TransactionView } from "@lamplight/store-postgres";

/** The parts that a state over several shards answers from. */
export interface ShardsParts extends ReadView {
  /** It has what belongs to no slot, and the states of trees. */
  readonly coordinator: TransactionView;
  readonly accounts: OverlayAccounts;
  readonly assets: OverlayAssets;
  readonly editions: OverlayEditions;
}

/** Bytes of the caller's own: those of a path belong to every view. */
const keepable = (account: Account | null): Account | null =>
  account === null ? null : { ...account, data: Uint8Array.from(account.data) };

const refuse = (what: string) => (): never => {
  throw new LamplightError("STORE__NOT_COVERED", { what: `${what}, in a store of several shards` });
};
/** The rows of each shard are of a state of its own, so that their numbers would not be exact. */
const refuseHolders = refuse("token accounts of a mint without their wallet");

/** Answers of a store of several shards, one function for each kind of read. */
export const handlers: ReadHandlers<ShardsParts> = {
  account: async ({ accounts }, { address }) => keepable(await accounts.findAccount(address)),
  accountWithMint: answerJoined,
  accounts: async ({ accounts }, { addresses }) =>
    (await accounts.findAccounts(addresses)).map((account) => keepable(account)),
  isClosed: ({ accounts }, { address }) => accounts.isClosed(address),
  delegated: answerJoined,
  moreDelegated: ({ accounts }, { query }) => accounts.listAccountsByDelegate(query),
  holdings: ({ accounts }, { query }) => accounts.listHoldings(query),
  walletHoldings: ({ accounts }, { query }) => accounts.listWallet(query),
  heldAccounts: answerJoined,
  tokenAccounts: ({ accounts }, { addresses }) => accounts.findTokenAccounts(addresses),
  holders: refuseHolders,
  holderCount: refuseHolders,
  holderPage: refuseHolders,
  largest: ({ accounts }, { query }) => accounts.listLargestAccounts(query),
  asset: answerJoined,
  ownAsset: ({ assets }, { id }) => assets.findAsset(id),
  // The coordinator has the states of trees.
  isTreeIncomplete: ({ coordinator }, asked) => coordinator.read(asked),
  ledger: refuse("proofs"),
  treeTop: refuse("proofs"),
  leafPath: refuse("proofs"),
  ownAssets: ({ assets }, { ordinals, bytesMax }) => assets.getAssets(ordinals, bytesMax),
  // Off-chain documents belong to no slot, and are the coordinator's.
  contents: ({ coordinator }, asked) => coordinator.read(asked),
  packedAssets: async ({ assets }, { ordinals, bytesMax }) =>
    packAssets(await assets.getAssets(ordinals, bytesMax)),
  packedContents: ({ coordinator }, asked) => coordinator.read(asked),
  itemCache: () => null,
  edition: ({ editions }, { mintOrAddress }) => editions.findEdition(mintOrAddress),
  editions: ({ editions }, { parent, start, limit }) => editions.listEditions(parent, start, limit),
  editionCount: ({ editions }, { parent }) => editions.countEditions(parent),
  editionPage: answerJoined,
  search: (state, { query }) => searchWithoutIndex(state, query),
};
