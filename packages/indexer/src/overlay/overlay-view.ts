import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  answerJoined,
  type ReadHandlers,
  type AnswerTo,
  type Coverage,
  type DelegatedPage,
  type EditionPage,
  type HolderPage,
  inheritsFrom,
  isTreeComplete,
  type LedgerState,
  type MaybePromise,
  mintNeededBy,
  parseTreeState,
  pathBlocks,
  type ReadKind,
  type ReadOf,
  reads,
  type ReadView,
  type Slot,
  type TermReader,
  treeCoverageOf,
  type TreeCoverage,
  treeOf,
  turns,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { addressKey } from "../engine/address-map.ts";
import { ledgerKey, newest, readThrough } from "../engine/layer.ts";
import { mergeBlocks } from "../engine/merge-blocks.ts";
import type { FinalizedFacts, PathAssets } from "./finalized-facts.ts";
import { OverlayAccounts } from "./overlay-accounts.ts";
import { VIEW_ATTEMPTS_MAX } from "./limits.ts";
import { OverlayAssets } from "./overlay-assets.ts";
import { OverlayHolders } from "./overlay-holders.ts";
import { OverlayEditions } from "./overlay-editions.ts";
import { OverlaySearch } from "./overlay-search.ts";
import type { Path } from "../engine/delta.ts";
import type { SlotTree } from "./slot-tree.ts";

/**
 * Whether a view of the finalized store is enough to answer at `slot`; null = at the finalized slot. A view that was
 * opened before the finalized slot moved is behind: an earlier answer may have been of the newer slot.
 */
export const isNewest = (
  finalized: ReadView,
  slot: Slot | null,
  tree: Pick<SlotTree, "finalizedSlot">,
): boolean => (slot === null ? finalized.slot >= tree.finalizedSlot : slot <= finalized.slot);

export const finalizedKeepsMoving = (): LamplightError =>
  new LamplightError("SERVER__BUSY", {
    reason: `the finalized slot moved during ${VIEW_ATTEMPTS_MAX} attempts to open a view`,
  });

/**
 * The chain at one unfinalized slot: its path over a view of the finalized store. Neither changes while the view is
 * open. It answers what the path touches, and passes other reads on.
 */
export class OverlayView implements ReadView {
  readonly slot: Slot;
  readonly finalized: ReadView;
  readonly path: Path;
  readonly #readPathAssets: () => Promise<PathAssets>;
  readonly #over: (finalized: ReadView) => ReadView;
  // Made on first use: most calls need none of them.
  #accounts: OverlayAccounts | null = null;
  #holders: OverlayHolders | null = null;
  #assets: OverlayAssets | null = null;
  #editions: OverlayEditions | null = null;
  #search: OverlaySearch | null = null;
  /** The finalized view with what answers its searches. */
  #searched: ReadView | null = null;
  #isCancelled = false;

  /**
   * @param finalized - view of the finalized store, below the path
   * @param over - wraps that view for searches
   */
  constructor(
    slot: Slot,
    path: Path,
    finalized: ReadView,
    facts: FinalizedFacts,
    over: (finalized: ReadView) => ReadView = asItIs,
  ) {
    this.slot = slot;
    this.path = path;
    this.finalized = finalized;
    this.#over = over;
    this.#readPathAssets = () => facts.pathAssets(path, finalized);
  }

  read<Kind extends ReadKind>(asked: ReadOf<Kind>): MaybePromise<AnswerTo<Kind>> {
    return handlers[asked.kind](this, asked);
  }

  get accounts(): OverlayAccounts {
    return (this.#accounts ??= new OverlayAccounts(this.path, this.finalized));
  }

  get holders(): OverlayHolders {
    return (this.#holders ??= new OverlayHolders(this.path, this.finalized));
  }

  get assets(): OverlayAssets {
    return (this.#assets ??= new OverlayAssets(this.path, this.finalized, this.#readPathAssets));
  }

  /** It collects the prints of the whole path. */
  get editions(): OverlayEditions {
    return (this.#editions ??= new OverlayEditions(this.path, this.finalized));
  }

  get search(): OverlaySearch {
    if (this.#searched === null) {
      this.#searched = this.#over(this.finalized);
      if (this.#isCancelled) this.#searched.cancel?.();
    }
    return (this.#search ??= new OverlaySearch(this.path, this.#searched, this.#readPathAssets));
  }

  /** The terms of the finalized store: overlays are for readers of views, not for an index that follows the store. */
  get terms(): TermReader {
    return this.finalized.terms;
  }

  get coverage(): Coverage {
    return this.finalized.coverage;
  }

  get derivation(): ReadView["derivation"] {
    return this.finalized.derivation;
  }

  get incompleteTrees(): readonly TreeCoverage[] {
    const changed = new Map<string, TreeCoverage>();
    for (const changes of this.path.toReversed()) {
      for (const one of changes.ledger) {
        if (one.kind !== "tree") continue;
        const tree = encodeAddress(one.key);
        changed.set(tree, treeCoverageOf(tree, parseTreeState(one.state)));
      }
    }
    if (changed.size === 0) return this.finalized.incompleteTrees;
    return [
      ...this.finalized.incompleteTrees.filter(({ tree }) => !changed.has(tree)),
      ...[...changed.values()].filter((tree) => !isTreeComplete(tree)),
    ];
  }

  /** Whether the path changes an asset. */
  isAssetChanged(id: AddressBytes): boolean {
    const key = addressKey(id);
    return this.path.some(({ assetChanges }) => assetChanges.has(key));
  }

  /** Whether the path writes a compression state. */
  isLedgerChanged(kind: LedgerState["kind"], address: AddressBytes): boolean {
    const key = ledgerKey(kind, address);
    return this.path.some(({ ledgerStates }) => ledgerStates.has(key));
  }

  async isTreeIncomplete(tree: AddressBytes): Promise<boolean> {
    const key = ledgerKey("tree", tree);
    const changed = newest(this.path, ({ ledgerStates }) => ledgerStates.get(key));
    if (changed === undefined) return this.finalized.read(reads.isTreeIncomplete(tree));
    return !isTreeComplete(treeCoverageOf(encodeAddress(tree), parseTreeState(changed.state)));
  }

  readLedger(asked: ReadOf<"ledger">): Promise<readonly (LedgerState | null)[]> {
    const { of, keys } = asked;
    if (of === "nodes") return this.#readBlocks(asked);
    return readThrough<AddressBytes, LedgerState | null>(
      keys,
      (address) => {
        const key = ledgerKey(of, address);
        return newest(this.path, ({ ledgerStates }) => ledgerStates.get(key));
      },
      // The store may have answered this very read when it was opened.
      (rest) => this.finalized.read(rest.length === keys.length ? asked : reads.ledger(of, rest)),
    );
  }

  /** Each slot of the path has what it changed of a block. */
  async #readBlocks(asked: ReadOf<"ledger">): Promise<readonly (LedgerState | null)[]> {
    const known = await this.finalized.read(asked);
    const blocks: (LedgerState | null)[] = [];
    for (const [index, address] of asked.keys.entries()) {
      if (turns.isUsedUp()) await turns.next();
      const key = ledgerKey("nodes", address);
      const changes = this.path.flatMap(({ ledgerStates }) => ledgerStates.get(key) ?? []);
      const [first, ...others] = [known[index] ?? [], ...changes].flat();
      blocks.push(first === undefined ? null : mergeBlocks([first, ...others]));
    }
    return blocks;
  }

  cancel(): void {
    this.#isCancelled = true;
    const finalized = this.#searched ?? this.finalized;
    finalized.cancel?.();
  }

  close(): void {
    this.finalized.close();
  }
}

const asItIs = (view: ReadView): ReadView => view;

// A store answers joined items in one read. So the path is compared with the answer of the store, and only what it
// touches is joined again.

const assetAt = async (view: OverlayView, asked: ReadOf<"asset">): Promise<AnswerTo<"asset">> => {
  if (view.isAssetChanged(asked.id)) return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  if (found === null) return null;
  const tree = treeOf(found.own);
  const from = inheritsFrom(found.own);
  const isTouched =
    (tree !== null && view.isLedgerChanged("tree", decodeAddress(tree))) ||
    (from !== null && view.isAssetChanged(decodeAddress(from)));
  return isTouched ? answerJoined(view, asked) : found;
};

const accountWithMintAt = async (
  view: OverlayView,
  asked: ReadOf<"accountWithMint">,
): Promise<AnswerTo<"accountWithMint">> => {
  if (view.accounts.isWritten(asked.address)) return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  const mint = found.account === null ? null : mintNeededBy(found.account);
  return mint !== null && view.accounts.isWritten(mint) ? answerJoined(view, asked) : found;
};

const delegatedAt = async (view: OverlayView, asked: ReadOf<"delegated">): Promise<DelegatedPage> => {
  const { accounts } = view;
  const isWritten = ({ address }: { readonly address: AddressBytes }): boolean => accounts.isWritten(address);
  if (accounts.hasDelegatedTo(asked.delegate) || accounts.isWritten(asked.by.address))
    return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  const mints = asked.withMints ? found.accounts.flatMap((account) => mintNeededBy(account) ?? []) : [];
  const isTouched = found.accounts.some(isWritten) || mints.some((mint) => accounts.isWritten(mint));
  return isTouched ? answerJoined(view, asked) : found;
};

const heldAt = async (
  view: OverlayView,
  asked: ReadOf<"heldAccounts">,
): Promise<AnswerTo<"heldAccounts">> => {
  const { accounts } = view;
  if (accounts.hasHoldingOf(asked.query.tokenOwner)) return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  return found?.some(({ address }) => accounts.isWritten(address)) === true
    ? answerJoined(view, asked)
    : found;
};

const holderPageAt = async (view: OverlayView, asked: ReadOf<"holderPage">): Promise<HolderPage> =>
  view.holders.isTouched(asked.query.mint) ? answerJoined(view, asked) : view.finalized.read(asked);

const editionPageAt = async (view: OverlayView, asked: ReadOf<"editionPage">): Promise<EditionPage> => {
  const { accounts, editions } = view;
  if (accounts.isWritten(asked.address)) return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  // Without a finalized master, the path may have one.
  if (found.master === null) return answerJoined(view, asked);
  const { address } = found.master;
  const isTouched = accounts.isWritten(address) || (await editions.isTouched(address));
  return isTouched ? answerJoined(view, asked) : found;
};

const treeTopAt = async (view: OverlayView, asked: ReadOf<"treeTop">): Promise<AnswerTo<"treeTop">> =>
  view.accounts.isWritten(asked.tree) ? answerJoined(view, asked) : view.finalized.read(asked);

const leafPathAt = async (view: OverlayView, asked: ReadOf<"leafPath">): Promise<AnswerTo<"leafPath">> => {
  if (view.isLedgerChanged("leaf", asked.id)) return answerJoined(view, asked);
  const found = await view.finalized.read(asked);
  if (found === null) return null;
  const { tree, nonce } = found.leaf;
  const isTouched =
    view.accounts.isWritten(tree) ||
    pathBlocks(tree, nonce).some(({ key }) => view.isLedgerChanged("nodes", key));
  return isTouched ? answerJoined(view, asked) : found;
};

/** One function for each kind of read. */
const handlers: ReadHandlers<OverlayView> = {
  account: ({ accounts, finalized }, asked) =>
    accounts.isWritten(asked.address) ? accounts.findAccount(asked.address) : finalized.read(asked),
  accountWithMint: accountWithMintAt,
  accounts: ({ accounts }, { addresses }) => accounts.findAccounts(addresses),
  isClosed: ({ accounts }, { address }) => accounts.isClosed(address),
  delegated: delegatedAt,
  moreDelegated: ({ accounts }, { query }) => accounts.listAccountsByDelegate(query),
  holdings: ({ accounts }, { query }) => accounts.listHoldings(query),
  walletHoldings: ({ accounts }, { query }) => accounts.listWallet(query),
  heldAccounts: heldAt,
  tokenAccounts: ({ accounts }, { addresses }) => accounts.findTokenAccounts(addresses),
  holders: ({ holders }, { query }) => holders.list(query),
  holderCount: ({ holders }, { mint }) => holders.count(mint),
  holderPage: holderPageAt,
  largest: ({ accounts }, { query }) => accounts.listLargestAccounts(query),
  asset: assetAt,
  ownAsset: ({ assets }, { id }) => assets.findAsset(id),
  isTreeIncomplete: (view, { tree }) => view.isTreeIncomplete(tree),
  ledger: (view, asked) => view.readLedger(asked),
  treeTop: treeTopAt,
  leafPath: leafPathAt,
  ownAssets: ({ assets }, { ordinals, bytesMax }) => assets.getAssets(ordinals, bytesMax),
  // Off-chain documents are not chain state: they are the same at every commitment.
  contents: ({ finalized }, asked) => finalized.read(asked),
  packedAssets: ({ assets }, { ordinals, bytesMax }) => assets.packAssets(ordinals, bytesMax),
  packedContents: ({ finalized }, asked) => finalized.read(asked),
  itemCache: ({ assets }, { ordinals }) => assets.itemCache(ordinals),
  edition: ({ editions }, { mintOrAddress }) => editions.findEdition(mintOrAddress),
  editions: ({ editions }, { parent, start, limit }) => editions.listEditions(parent, start, limit),
  editionCount: ({ editions }, { parent }) => editions.countEditions(parent),
  editionPage: editionPageAt,
  search: ({ search }, { query }) => search.searchAssets(query),
};
