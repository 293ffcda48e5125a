// Answers reads from one view of a store.

import { decodeAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import { mintViewOf } from "../amount/mint-view.ts";
import { jsonUriOf } from "../content/content-text.ts";
import { AddressSet } from "../domain/address-map.ts";
import type { Account } from "../domain/account.ts";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { mintNeededBy } from "../parsed/parse-account.ts";
import { isTokenProgram } from "../parsed/token-programs.ts";
import type { StoredContent } from "../ports/asset-reader.ts";
import { packAssets, packContents } from "../ports/packed-assets.ts";
import type { ReadView } from "../ports/read-view.ts";
import type {
  AccountWithMint,
  AnswerTo,
  DelegatedPage,
  Read,
  ReadKind,
  ReadOf,
  WholeAsset,
} from "../ports/reads.ts";
import { whenReady } from "../ports/when-ready.ts";
import { inheritsFrom, joinAsset } from "../shaping/join-asset.ts";
import { treeOf } from "../shaping/tree-of.ts";
import type { CallContext } from "./call-context.ts";

/** The caller, for reads that take so long that one who has left stops them. */
type Caller = Pick<CallContext, "signal">;

/** How a view answers each kind of read. A kind without an entry is a compile error. */
type Answers = {
  readonly [Kind in ReadKind]: (
    view: ReadView,
    asked: ReadOf<Kind>,
    caller: Caller,
  ) => MaybePromise<AnswerTo<Kind>>;
};

/** @throws what the view throws, also `MoreReads` */
export const answerRead = (view: ReadView, asked: Read, caller: Caller): MaybePromise<unknown> =>
  (answers[asked.kind] as (typeof answers)["account"])(view, asked as never, caller);

/** Reads of one round: together where the view has to wait for them. */
export const answerAll = (
  view: ReadView,
  asked: readonly Read[],
  caller: Caller,
): MaybePromise<readonly unknown[]> => {
  const answered = asked.map((one) => {
    try {
      return answerRead(view, one, caller);
    } catch (error) {
      // The promises of reads before it are waited for.
      return Promise.reject(error);
    }
  });
  return answered.some((one) => one instanceof Promise) ? Promise.all(answered) : answered;
};

/** The finished document of an asset that was read from this view. */
export const joinStored = (view: ReadView, own: StoredAsset): MaybePromise<StoredAsset> =>
  whenReady(readContent(view, own), (content) =>
    whenReady(readCollection(view, own), (collection) => joinAsset({ own, content, collection })),
  );

const readAsset = (view: ReadView, id: AddressBytes): MaybePromise<WholeAsset | null> =>
  whenReady(view.assets.findAsset(id), (own) => {
    if (own === null) return null;
    return whenReady(readContent(view, own), (content) =>
      whenReady(readCollection(view, own), (collection) =>
        whenReady(readTree(view, own), (isTreeIncomplete) => ({
          own,
          content,
          collection,
          isTreeIncomplete,
        })),
      ),
    );
  });

const readContent = ({ assets }: ReadView, { document }: StoredAsset): MaybePromise<StoredContent | null> => {
  const uri = jsonUriOf(document);
  return uri === "" ? null : whenReady(assets.readContents([uri]), ([content]) => content ?? null);
};

const readCollection = ({ assets }: ReadView, own: StoredAsset): MaybePromise<StoredAsset | null> => {
  const from = inheritsFrom(own);
  return from === null ? null : assets.findAsset(decodeAddress(from));
};

const readTree = (view: ReadView, { document }: StoredAsset): MaybePromise<boolean> => {
  const { incompleteTrees } = view;
  if (incompleteTrees.length === 0) return false;
  const tree = treeOf(document);
  if (tree === null) return false;
  // A store may list only the first 1000 trees.
  const isListed = incompleteTrees.some((incomplete) => incomplete.tree === tree);
  return isListed || (view.isTreeIncomplete?.(decodeAddress(tree)) ?? false);
};

const readAccountWithMint = ({ accounts }: ReadView, address: AddressBytes): MaybePromise<AccountWithMint> =>
  whenReady(accounts.findAccount(address), (account) => {
    const mintAddress = account === null ? null : mintNeededBy(account);
    if (mintAddress === null) return { account, mint: null };
    return whenReady(accounts.findAccount(mintAddress), (mint) => ({ account, mint }));
  });

const readDelegated = (view: ReadView, asked: ReadOf<"delegated">): MaybePromise<DelegatedPage> => {
  const { kind, address } = asked.by;
  const refused: DelegatedPage = { mint: null, accounts: [], mints: null };
  if (kind === "programId")
    return isTokenProgram(address) ? readDelegatedOf(view, asked, address, null) : refused;
  // The native mint needs no account: it always belongs to the first token program.
  if (sameBytes(address, programAddresses.nativeMint))
    return readDelegatedOf(view, asked, programAddresses.token, null);
  return whenReady(view.accounts.findAccount(address), (mint) =>
    mint === null || !isTokenProgram(mint.programOwner) || mintViewOf(mint.data) === null
      ? { ...refused, mint }
      : readDelegatedOf(view, asked, mint.programOwner, mint),
  );
};

const readDelegatedOf = (
  { accounts }: ReadView,
  { delegate, by, limit, withMints }: ReadOf<"delegated">,
  tokenProgram: AddressBytes,
  mint: Account | null,
): MaybePromise<DelegatedPage> => {
  const query = { delegate, tokenProgram, mint: by.kind === "mint" ? by.address : null, limit };
  return whenReady(accounts.listAccountsByDelegate(query), (page) => {
    if (!withMints) return { mint, accounts: page, mints: null };
    const named = new AddressSet();
    for (const account of page) {
      const address = mintNeededBy(account);
      if (address !== null && !sameBytes(address, programAddresses.nativeMint)) named.add(address);
    }
    // Copies, since these lie within the data of accounts, which would be kept with them.
    const addresses = named.addresses().map((address) => Uint8Array.from(address));
    if (addresses.length === 0) return { mint, accounts: page, mints: [] };
    return whenReady(accounts.findAccounts(addresses), (mints) => ({
      mint,
      accounts: page,
      mints: mints.filter((one) => one !== null),
    }));
  });
};

const answers: Answers = {
  account: ({ accounts }, { address }) => accounts.findAccount(address),
  accountWithMint: (view, { address }) => readAccountWithMint(view, address),
  accounts: ({ accounts }, { addresses }) => accounts.findAccounts(addresses),
  isClosed: ({ accounts }, { address }) => accounts.isClosed(address),
  delegated: readDelegated,
  moreDelegated: ({ accounts }, { query }) => accounts.listAccountsByDelegate(query),
  holdings: ({ accounts }, { query }) => accounts.listHoldings(query),
  largest: ({ accounts }, { query }) => accounts.listLargestAccounts(query),
  asset: (view, { id }) => readAsset(view, id),
  ownAsset: ({ assets }, { id }) => assets.findAsset(id),
  ownAssets: ({ assets }, { ordinals, bytesMax }) => assets.getAssets(ordinals, bytesMax),
  contents: ({ assets }, { uris, bytesMax }) => assets.readContents(uris, bytesMax),
  packedAssets: ({ assets }, { ordinals, bytesMax }) =>
    assets.packAssets?.(ordinals, bytesMax) ?? whenReady(assets.getAssets(ordinals, bytesMax), packAssets),
  packedContents: ({ assets }, { uris, bytesMax }) =>
    assets.packContents?.(uris, bytesMax) ?? whenReady(assets.readContents(uris, bytesMax), packContents),
  itemCache: ({ assets }, { ordinals }) => assets.itemCache?.(ordinals) ?? null,
  masterEdition: ({ editions }, { mint }) => editions.findMasterEdition(mint),
  edition: ({ editions }, { mintOrAddress }) => editions.findEdition(mintOrAddress),
  editions: ({ editions }, { parent, start, limit }) => editions.listEditions(parent, start, limit),
  editionCount: ({ editions }, { parent }) => editions.countEditions(parent),
  search: ({ search }, { query }, caller) => search.searchAssets(query, caller.signal),
};
