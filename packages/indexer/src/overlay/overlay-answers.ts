import { decodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  answerJoined,
  type Answers,
  type AnswerTo,
  type DelegatedPage,
  inheritsFrom,
  type LedgerKind,
  type LedgerState,
  mintNeededBy,
  type ReadOf,
  type ReadView,
  treeOf,
} from "@lamplight/core";
import type { OverlayHolders } from "./overlay-holders.ts";
import type { OverlayAccounts } from "./overlay-accounts.ts";
import type { OverlayAssets } from "./overlay-assets.ts";
import type { OverlayEditions } from "./overlay-editions.ts";
import type { OverlaySearch } from "./overlay-search.ts";

/** The parts that a view above the finalized slot answers from. */
export interface OverlayParts extends Pick<ReadView, "read" | "incompleteTrees"> {
  /** The view of the finalized store below the path. */
  readonly base: ReadView;
  readonly accounts: OverlayAccounts;
  readonly holders: OverlayHolders;
  readonly assets: OverlayAssets;
  readonly editions: OverlayEditions;
  readonly search: OverlaySearch;
  /** Whether the path writes a tree. */
  isTreeChanged(tree: AddressBytes): boolean;
  isTreeIncomplete(tree: AddressBytes): Promise<boolean>;
  readLedger(of: LedgerKind, keys: readonly AddressBytes[]): Promise<readonly (LedgerState | null)[]>;
}

// A store answers joined items in one read. So the path is compared with the answer of the store, and only what it
// touches is joined again.

const assetAt = async (view: OverlayParts, asked: ReadOf<"asset">): Promise<AnswerTo<"asset">> => {
  if (view.assets.isChanged(asked.id)) return answerJoined(view, asked);
  const found = await view.base.read(asked);
  if (found === null) return null;
  const tree = treeOf(found.own);
  const from = inheritsFrom(found.own);
  const isTouched =
    (tree !== null && view.isTreeChanged(decodeAddress(tree))) ||
    (from !== null && view.assets.isChanged(decodeAddress(from)));
  return isTouched ? answerJoined(view, asked) : found;
};

const accountWithMintAt = async (
  view: OverlayParts,
  asked: ReadOf<"accountWithMint">,
): Promise<AnswerTo<"accountWithMint">> => {
  if (view.accounts.isWritten(asked.address)) return answerJoined(view, asked);
  const found = await view.base.read(asked);
  const mint = found.account === null ? null : mintNeededBy(found.account);
  return mint !== null && view.accounts.isWritten(mint) ? answerJoined(view, asked) : found;
};

const delegatedAt = async (view: OverlayParts, asked: ReadOf<"delegated">): Promise<DelegatedPage> => {
  const { accounts } = view;
  const isWritten = ({ address }: { readonly address: AddressBytes }): boolean => accounts.isWritten(address);
  if (accounts.hasDelegatedTo(asked.delegate) || accounts.isWritten(asked.by.address))
    return answerJoined(view, asked);
  const found = await view.base.read(asked);
  const mints = asked.withMints ? found.accounts.flatMap((account) => mintNeededBy(account) ?? []) : [];
  const isTouched = found.accounts.some(isWritten) || mints.some((mint) => accounts.isWritten(mint));
  return isTouched ? answerJoined(view, asked) : found;
};

/** Answers of a view above the finalized slot, one function for each kind of read. */
export const answers: Answers<OverlayParts> = {
  account: ({ accounts, base }, asked) =>
    accounts.isWritten(asked.address) ? accounts.findAccount(asked.address) : base.read(asked),
  accountWithMint: accountWithMintAt,
  accounts: ({ accounts }, { addresses }) => accounts.findAccounts(addresses),
  isClosed: ({ accounts }, { address }) => accounts.isClosed(address),
  delegated: delegatedAt,
  moreDelegated: ({ accounts }, { query }) => accounts.listAccountsByDelegate(query),
  holdings: ({ accounts }, { query }) => accounts.listHoldings(query),
  walletHoldings: ({ accounts }, { query }) => accounts.listWallet(query),
  holders: ({ holders }, { query }) => holders.list(query),
  holderCount: ({ holders }, { mint }) => holders.count(mint),
  largest: ({ accounts }, { query }) => accounts.listLargestAccounts(query),
  asset: assetAt,
  ownAsset: ({ assets }, { id }) => assets.findAsset(id),
  isTreeIncomplete: (view, { tree }) => view.isTreeIncomplete(tree),
  ledger: (view, { of, keys }) => view.readLedger(of, keys),
  ownAssets: ({ assets }, { ordinals, bytesMax }) => assets.getAssets(ordinals, bytesMax),
  // Off-chain documents are not chain state: they are the same at every commitment.
  contents: ({ base }, asked) => base.read(asked),
  packedAssets: ({ assets }, { ordinals, bytesMax }) => assets.packAssets(ordinals, bytesMax),
  packedContents: ({ base }, asked) => base.read(asked),
  itemCache: ({ assets }, { ordinals }) => assets.itemCache(ordinals),
  masterEdition: ({ editions }, { mint }) => editions.findMasterEdition(mint),
  edition: ({ editions }, { mintOrAddress }) => editions.findEdition(mintOrAddress),
  editions: ({ editions }, { parent, start, limit }) => editions.listEditions(parent, start, limit),
  editionCount: ({ editions }, { parent }) => editions.countEditions(parent),
  search: ({ search }, { query }) => search.searchAssets(query),
};
