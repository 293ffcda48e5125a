// Reads that are joined from others: a store without a join of its own answers them by these.

import {
  decodeAddress,
  levelsBelowCanopy,
  programAddresses,
  sameBytes,
  type TreeTop,
  treeTopOf,
} from "@lamplight/codecs";
import { parseLeafState } from "../columns/leaf-state-text.ts";
import { jsonUriOf } from "../content/content-text.ts";
import { inheritsFrom, treeOf } from "../content/text-facts.ts";
import type { Account } from "../domain/account.ts";
import type { BaseTokenAccount } from "../domain/base-token-account.ts";
import type { Holding } from "../domain/account-facts.ts";
import { AddressSet } from "../domain/address-map.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { Holder, HolderCount } from "../domain/holder.ts";
import { pathBlocks } from "../domain/node-block.ts";
import type { StoredAsset } from "../domain/asset.ts";
import type { Edition, MasterEdition } from "../domain/edition.ts";
import { masterAddressOf, masterEditionIn } from "../parsed/master-edition.ts";
import { mintNeededBy } from "../parsed/parse-account.ts";
import { isByNativeMint, tokenProgramOf } from "../parsed/token-program-of.ts";
import type { EditionStart, StoredContent } from "../ports/queries.ts";
import type { MaybePromise, ReadView } from "../ports/read-view.ts";
import type {
  AnswerTo,
  DelegatedPage,
  EditionPage,
  HolderPage,
  LeafPath,
  Read,
  ReadOf,
} from "../ports/reads.ts";
import { joinAsset } from "../shaping/join-asset.ts";

export type JoinedKind =
  | "asset"
  | "accountWithMint"
  | "delegated"
  | "heldAccounts"
  | "holderPage"
  | "treeTop"
  | "leafPath"
  | "editionPage";

/** Yields a read for an answer to it, until all parts are joined. */
type Parts<Joined> = Generator<Read, Joined, unknown>;

/** The view that the parts are read from. */
type PartsView = Pick<ReadView, "read" | "incompleteTrees">;

/** The answer to a joined read from answers to its parts, at once where these are there at once. */
export const answerJoined = <Kind extends JoinedKind>(
  view: PartsView,
  asked: ReadOf<Kind>,
): MaybePromise<AnswerTo<Kind>> => {
  const join = joins[asked.kind] as (one: ReadOf<Kind>, view: PartsView) => Parts<AnswerTo<Kind>>;
  return answerParts(join(asked, view), view);
};

/** The finished document of an asset that was read from this view. */
export const joinStored = (view: PartsView, own: StoredAsset): MaybePromise<StoredAsset> =>
  answerParts(joinDocument(own), view);

const answerParts = <Joined>(parts: Parts<Joined>, view: PartsView): MaybePromise<Joined> => {
  let part = parts.next();
  while (part.done !== true) {
    const answer = view.read(part.value);
    if (answer instanceof Promise) return answerLater(parts, answer, view);
    part = parts.next(answer);
  }
  return part.value;
};

const answerLater = async <Joined>(
  parts: Parts<Joined>,
  first: Promise<unknown>,
  view: PartsView,
): Promise<Joined> => {
  let part = parts.next(await first);
  while (part.done !== true) part = parts.next(await view.read(part.value));
  return part.value;
};

function* joinDocument(own: StoredAsset): Parts<StoredAsset> {
  const content = yield* contentOf(own);
  return joinAsset({ own, content, collection: yield* collectionOf(own) });
}

function* joinParts({ id }: ReadOf<"asset">, view: PartsView): Parts<AnswerTo<"asset">> {
  const own = (yield { kind: "ownAsset", id }) as AnswerTo<"ownAsset">;
  if (own === null) return null;
  const content = yield* contentOf(own);
  const collection = yield* collectionOf(own);
  const incompleteTree = yield* incompleteTreeOf(own, view);
  return { own, updatedSlot: own.updatedSlot, content, collection, incompleteTree };
}

function* contentOf({ document }: StoredAsset): Parts<StoredContent | null> {
  const uri = jsonUriOf(document);
  if (uri === "") return null;
  const [content] = (yield { kind: "contents", uris: [uri] }) as AnswerTo<"contents">;
  return content ?? null;
}

function* collectionOf(own: StoredAsset): Parts<StoredAsset | null> {
  const from = inheritsFrom(own);
  return from === null
    ? null
    : ((yield { kind: "ownAsset", id: decodeAddress(from) }) as AnswerTo<"ownAsset">);
}

function* incompleteTreeOf(own: StoredAsset, { incompleteTrees }: PartsView): Parts<string | null> {
  if (incompleteTrees.length === 0) return null;
  const tree = treeOf(own);
  if (tree === null) return null;
  // A store may list only the first 1000 trees.
  if (incompleteTrees.some((incomplete) => incomplete.tree === tree)) return tree;
  const isIncomplete = (yield { kind: "isTreeIncomplete", tree: decodeAddress(tree) }) as boolean;
  return isIncomplete ? tree : null;
}

function* joinMint({ address }: ReadOf<"accountWithMint">): Parts<AnswerTo<"accountWithMint">> {
  const account = yield* accountAt(address);
  const mint = account === null ? null : mintNeededBy(account);
  return { account, mint: mint === null ? null : yield* accountAt(mint) };
}

function* accountAt(address: AddressBytes): Parts<Account | null> {
  return (yield { kind: "account", address }) as Account | null;
}

function* joinDelegated(asked: ReadOf<"delegated">): Parts<DelegatedPage> {
  const { delegate, by, limit, withMints } = asked;
  const mint = by.kind === "programId" || isByNativeMint(by) ? null : yield* accountAt(by.address);
  const tokenProgram = tokenProgramOf(by, mint);
  if (tokenProgram === null) return { mint, accounts: [], mints: null };
  const query = { delegate, tokenProgram, mint: by.kind === "mint" ? by.address : null, limit };
  const accounts = (yield { kind: "moreDelegated", query }) as readonly Account[];
  return { mint, accounts, mints: withMints ? yield* mintsOf(accounts, mint) : null };
}

/** @param known - a mint that has been read */
function* mintsOf(accounts: readonly Account[], known: Account | null): Parts<readonly Account[]> {
  const addresses = mintsNamedBy(accounts);
  if (addresses.length === 0) return [];
  // Accounts that are asked for by a mint name no other one.
  if (known !== null) return [known];
  const mints = (yield { kind: "accounts", addresses }) as readonly (Account | null)[];
  return mints.filter((one) => one !== null);
}

/** Mints whose accounts must be read: that of the native mint need not. */
export const mintsNamedBy = (accounts: readonly Account[]): readonly AddressBytes[] => {
  const named = new AddressSet();
  for (const account of accounts) {
    const address = mintNeededBy(account);
    if (address !== null && !sameBytes(address, programAddresses.nativeMint)) named.add(address);
  }
  // Copies, since these lie within the data of accounts, which would be kept with them.
  return named.addresses().map((address) => Uint8Array.from(address));
};

function* joinHeld({ query }: ReadOf<"heldAccounts">): Parts<readonly BaseTokenAccount[] | null> {
  const { tokenOwner, mint, showsEmpty } = query;
  const limit = query.limit + 1;
  const asked: Read =
    mint === null
      ? { kind: "walletHoldings", query: { tokenOwner, limit } }
      : { kind: "holdings", query: { tokenOwner, mints: [mint], limit } };
  const found = (yield asked) as readonly Holding[];
  if (found.length === limit) return null;
  const shown = showsEmpty ? found : found.filter(({ positive }) => positive);
  return yield* accountsAt(shown);
}

function* joinHolders({ query }: ReadOf<"holderPage">): Parts<HolderPage> {
  const count = (yield { kind: "holderCount", mint: query.mint }) as HolderCount;
  const holders = (yield { kind: "holders", query }) as readonly Holder[];
  return { count, accounts: yield* accountsAt(holders) };
}

function* accountsAt(found: readonly Pick<Holder, "tokenAccount">[]): Parts<readonly BaseTokenAccount[]> {
  if (found.length === 0) return [];
  const addresses = found.map(({ tokenAccount }) => tokenAccount);
  return (yield { kind: "tokenAccounts", addresses }) as readonly BaseTokenAccount[];
}

function* joinTreeTop({ tree }: ReadOf<"treeTop">): Parts<TreeTop | null> {
  const account = yield* accountAt(tree);
  return account === null ? null : treeTopOf(account);
}

function* joinLeafPath({ id }: ReadOf<"leafPath">): Parts<LeafPath | null> {
  const [found] = (yield { kind: "ledger", of: "leaf", keys: [id] }) as AnswerTo<"ledger">;
  if (found === null || found === undefined) return null;
  const leaf = parseLeafState(found.tree, found.state);
  const { tree, nonce } = leaf;
  const top = (yield { kind: "treeTop", tree }) as TreeTop | null;
  if (top === null) return { leaf, top, blocks: [] };
  const keys = pathBlocks(tree, nonce, levelsBelowCanopy(top)).map(({ key }) => key);
  return { leaf, top, blocks: (yield { kind: "ledger", of: "nodes", keys }) as AnswerTo<"ledger"> };
}

function* joinEditions({ address, start, limit }: ReadOf<"editionPage">): Parts<EditionPage> {
  const master = yield* masterOf(address);
  if (master === null) return { master, count: 0, editions: [], hasMore: false };
  const parent = master.address;
  const count = (yield { kind: "editionCount", parent }) as number;
  if (start.kind === "offset" && start.offset >= count)
    return { master, count, editions: [], hasMore: false };
  // One more shows whether others follow.
  const wanted = start.kind === "before" ? limit : limit + 1;
  const found = (yield { kind: "editions", parent, start, limit: wanted }) as readonly Edition[];
  const editions = found.slice(0, limit);
  const hasMore = start.kind === "before" ? yield* hasPrintFrom(parent, start.number) : found.length > limit;
  return { master, count, editions, hasMore };
}

function* masterOf(own: AddressBytes): Parts<MasterEdition | null> {
  const account = yield* accountAt(own);
  const address = masterAddressOf(own, account);
  return masterEditionIn(address === own ? account : yield* accountAt(address));
}

function* hasPrintFrom(parent: AddressBytes, number: bigint): Parts<boolean> {
  const start: EditionStart =
    number === 0n ? { kind: "offset", offset: 0 } : { kind: "after", number: number - 1n };
  return ((yield { kind: "editions", parent, start, limit: 1 }) as readonly Edition[]).length > 0;
}

const joins: {
  readonly [Kind in JoinedKind]: (asked: ReadOf<Kind>, view: PartsView) => Parts<AnswerTo<Kind>>;
} = {
  asset: joinParts,
  accountWithMint: joinMint,
  delegated: joinDelegated,
  heldAccounts: joinHeld,
  holderPage: joinHolders,
  treeTop: joinTreeTop,
  leafPath: joinLeafPath,
  editionPage: joinEditions,
};
