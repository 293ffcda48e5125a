import {
  answerJoined,
  type ReadHandlers,
  type AnswerTo,
  type EditionPage,
  type ItemsOfState,
  packContents,
  type ReadOf,
} from "@lamplight/core";
import type { Statements } from "../engine/statements.ts";
import { readContents } from "../offchain/offchain-store.ts";
import {
  findAccounts,
  findAccountWithHead,
  findMintWithHead,
  findTokenAccounts,
  isClosed,
} from "../queries/find-account.ts";
import { findAssetWithHead } from "../queries/find-asset.ts";
import { findDelegatedWithHead } from "../queries/find-delegated.ts";
import { findEditionPageWithHead } from "../queries/find-edition-page.ts";
import { findLeafPathWithHead } from "../queries/find-leaf-path.ts";
import { findHeldWithHead, findHolderPageWithHead } from "../queries/find-token-accounts.ts";
import { listAccountsByDelegate } from "../queries/list-accounts-by-delegate.ts";
import { countEditions, findEdition, listEditions } from "../queries/list-editions.ts";
import { countHolders, listHolders } from "../queries/list-holders.ts";
import { listLargestAccounts } from "../queries/list-largest-accounts.ts";
import { getAssets, packAssets } from "../queries/read-documents.ts";
import { type FoundWithHead, isTreeIncomplete, type KnownBefore } from "../queries/read-head.ts";
import { readLedgerWithHead } from "../queries/read-ledger-with-head.ts";
import { listHoldings, listWallet, readLedger } from "../queries/read-lists.ts";
import { searchAssets } from "../queries/search-assets.ts";
import type { GatheredReads, ViewReads } from "./gathered-reads.ts";

/** A view as these handlers use it. */
export interface AnsweringView extends ViewReads {
  readonly gathered: GatheredReads;
  itemsOfState(): Promise<ItemsOfState | null>;
}

export type KindWithHead =
  | "account"
  | "accountWithMint"
  | "asset"
  | "delegated"
  | "editionPage"
  | "heldAccounts"
  | "holderPage"
  | "leafPath"
  | "ledger";

/** Reads that one statement answers together with the head. Null where it is not enough. */
export const readsWithHead: {
  readonly [Kind in KindWithHead]: (
    db: Statements,
    known: KnownBefore,
    asked: ReadOf<Kind>,
  ) => Promise<FoundWithHead<AnswerTo<Kind>> | null>;
} = {
  account: findAccountWithHead,
  accountWithMint: findMintWithHead,
  asset: findAssetWithHead,
  delegated: findDelegatedWithHead,
  editionPage: findEditionPageWithHead,
  heldAccounts: findHeldWithHead,
  holderPage: findHolderPageWithHead,
  leafPath: findLeafPathWithHead,
  ledger: readLedgerWithHead,
};

const contentsAt = async (view: AnsweringView, { uris, bytesMax }: ReadOf<"contents">) => {
  if (!view.settings.hasContents) return uris.map(() => null);
  if (uris.length === 1 && bytesMax === undefined) return [await view.gathered.contents.find(uris[0]!)];
  return view.use((session) => readContents(session, uris, bytesMax));
};

const editionPageAt = async (view: AnsweringView, asked: ReadOf<"editionPage">): Promise<EditionPage> => {
  const { programs, settings } = view;
  const found = view.isOneDatabase
    ? await view.use((session) => findEditionPageWithHead(session, null, asked))
    : null;
  const page = found?.answerAt({ programs, settings }) ?? null;
  return page === null ? answerJoined(view, asked) : page.value;
};

/** One function for each kind of read. */
export const handlers: ReadHandlers<AnsweringView> = {
  account: (view, { address }) => view.gathered.accounts.find(address),
  accountWithMint: answerJoined,
  accounts: (view, { addresses }) => view.use((session) => findAccounts(session, view.programs, addresses)),
  isClosed: (view, { address }) => view.use((session) => isClosed(session, address)),
  delegated: answerJoined,
  moreDelegated: (view, { query }) =>
    view.use((session) => listAccountsByDelegate(session, view.programs, query)),
  walletHoldings: (view, { query }) =>
    view.use((session) => listWallet(session, view.settings.holdings, query)),
  holdings: (view, { query }) => view.use((session) => listHoldings(session, view.settings.holdings, query)),
  holders: (view, { query }) => view.use((session) => listHolders(session, view.settings.holders, query)),
  holderCount: (view, { mint }) => view.use((session) => countHolders(session, view.settings.holders, mint)),
  heldAccounts: answerJoined,
  tokenAccounts: (view, { addresses }) =>
    view.use((session) => findTokenAccounts(session, view.programs, addresses)),
  holderPage: answerJoined,
  largest: (view, { query }) => view.use((session) => listLargestAccounts(session, query)),
  asset: (view, asked) =>
    view.isOneDatabase ? view.gathered.assets.find(asked.id) : answerJoined(view, asked),
  ownAsset: (view, { id }) => view.gathered.ownAssets.find(id),
  isTreeIncomplete: (view, { tree }) => view.use((session) => isTreeIncomplete(session, tree)),
  ledger: (view, { of, keys }) => view.use((session) => readLedger(session, of, keys)),
  treeTop: (view, asked) =>
    view.isOneDatabase
      ? view.use((session) => view.treeTops.read(session, view.programs, asked.tree))
      : answerJoined(view, asked),
  leafPath: answerJoined,
  ownAssets: (view, { ordinals, bytesMax }) => view.use((session) => getAssets(session, ordinals, bytesMax)),
  contents: contentsAt,
  packedAssets: async (view, { ordinals, bytesMax }) => ({
    ...(await view.use((session) => packAssets(session, ordinals, bytesMax))),
    mayHaveContents: view.settings.hasContents,
  }),
  packedContents: async (view, { uris, bytesMax }) =>
    packContents(await contentsAt(view, { kind: "contents", uris, bytesMax })),
  itemCache: (view) => view.itemsOfState(),
  edition: (view, { mintOrAddress }) => view.use((session) => findEdition(session, mintOrAddress)),
  editions: (view, { parent, start, limit }) =>
    view.use((session) => listEditions(session, parent, start, limit)),
  editionCount: (view, { parent }) => view.use((session) => countEditions(session, parent)),
  editionPage: editionPageAt,
  search: (view, { query }) => view.use((session) => searchAssets(session, view.settings.holdings, query)),
};
