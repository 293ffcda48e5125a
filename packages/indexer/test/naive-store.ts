import { decodeEditionAccount, encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AccountWrite,
  type AddressBytes,
  amountHeld,
  answerJoined,
  type ReadHandlers,
  type Asset,
  type AssetPage,
  type AssetQuery,
  baseTokenAccount,
  byHolderOrder,
  type ChangeSet,
  type CommitReceipt,
  type Coverage,
  type Criterion,
  DERIVATION,
  type DerivationState,
  decodeAssetCursor,
  type Edition,
  encodeAssetCursor,
  isNonCirculatingAt,
  isNonCirculatingAccount,
  isTreeComplete,
  type Holder,
  type Holding,
  type LargestQuery,
  type IndexReader,
  type LedgerState,
  type Link,
  type LinkRole,
  packAssets,
  packContents,
  parseTreeState,
  type ViewSource,
  type ReadView,
  type Slot,
  treeCoverageOf,
  type TreeCoverage,
  unknownStartError,
  matchesCriterion,
  inheritedForm,
  meetsByInheritance,
} from "@lamplight/core";
import { listPrints, pageOfPrints } from "./naive-prints.ts";
import { cut, type Position } from "./naive-page.ts";

type Numbered = Asset & { readonly ordinal: number };

const text = encodeAddress;
const byBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

/**
 * A store that cannot be wrong by being clever: maps and loops, one state, cheap to copy. The chaos test compares the
 * answers of the real thing with it. Knows nothing of forks: each question gets a copy that walked one path.
 */
export class NaiveStore implements ViewSource {
  #accounts = new Map<string, AccountWrite>();
  #links = new Map<string, Link>();
  #ledger = new Map<string, LedgerState>();
  #seen = new Map<string, Slot>();
  #assets = new Map<string, Numbered>();
  #editions = new Map<string, Edition>();
  #nextOrdinal = 0;
  slot: Slot = 0;
  readonly readDerivation = async (): Promise<DerivationState> => ({ version: DERIVATION, next: null });
  coverage: Coverage = { kind: "whole" };

  copy(): NaiveStore {
    const copy = new NaiveStore();
    copy.#accounts = new Map(this.#accounts);
    copy.#links = new Map(this.#links);
    copy.#ledger = new Map(this.#ledger);
    copy.#seen = new Map(this.#seen);
    copy.#assets = new Map(this.#assets);
    copy.#editions = new Map(this.#editions);
    copy.#nextOrdinal = this.#nextOrdinal;
    copy.slot = this.slot;
    copy.coverage = this.coverage;
    return copy;
  }

  /** Every id the model knows, for asking about. */
  assetIds(): readonly AddressBytes[] {
    return [...this.#assets.values()].map(({ id }) => id);
  }

  async commit(changes: ChangeSet): Promise<CommitReceipt> {
    if (changes.watermark !== null) this.slot = changes.watermark.slot;
    for (const write of changes.accounts) this.#accounts.set(text(write.state.current.address), write);
    for (const link of changes.linksRemoved) this.#links.delete(linkKey(link));
    for (const link of changes.linksAdded) this.#links.set(linkKey(link), link);
    for (const one of changes.ledger) this.#ledger.set(one.kind + text(one.key), one);
    for (const { id, slot } of changes.assetsSeen) {
      this.#seen.set(text(id), Math.min(slot, this.#seen.get(text(id)) ?? slot));
    }
    for (const id of changes.assetsRemoved) this.#assets.delete(text(id));
    for (const asset of changes.assets) {
      const ordinal = this.#assets.get(text(asset.id))?.ordinal ?? this.#nextOrdinal++;
      this.#assets.set(text(asset.id), { ...asset, ordinal });
    }
    for (const address of changes.editionsRemoved) this.#editions.delete(text(address));
    for (const edition of changes.editions) this.#editions.set(text(edition.address), edition);
    return { changeSeq: 0, ordinals: [] };
  }

  readonly readAccountStates: IndexReader["readAccountStates"] = async (addresses) =>
    addresses.map((address) => this.#accounts.get(text(address))?.state ?? null);

  readonly readLinks: IndexReader["readLinks"] = async (targets, roles, limit) =>
    targets.flatMap((target) => roles.flatMap((role) => this.#linksOf(target, role, null, limit)));

  readonly readLinkPage: IndexReader["readLinkPage"] = async (...asked) => this.#linksOf(...asked);

  #linksOf(target: AddressBytes, role: LinkRole, after: AddressBytes | null, limit: number): Link[] {
    return [...this.#links.values()]
      .filter((link) => link.role === role && text(link.target) === text(target))
      .filter(({ source }) => after === null || byBytes(source, after) > 0)
      .toSorted((a, b) => byBytes(a.source, b.source))
      .slice(0, limit);
  }

  readonly readLedger: IndexReader["readLedger"] = async (kind, keys) =>
    keys.map((key) => this.#ledger.get(kind + text(key)) ?? null);

  readonly readSeenSlots: IndexReader["readSeenSlots"] = async (ids) =>
    ids.map((id) => this.#seen.get(text(id)) ?? null);

  openView(): ReadView {
    const living = (): Account[] =>
      [...this.#accounts.values()].map(({ state }) => state.current).filter(({ lamports }) => lamports > 0n);
    const findAccount = (address: AddressBytes): Account | null => {
      const current = this.#accounts.get(text(address))?.state.current;
      return current === undefined || current.lamports === 0n ? null : current;
    };
    const editionAt = (address: AddressBytes) => {
      const account = findAccount(address);
      const isOurs = account !== null && text(account.programOwner) === text(programAddresses.tokenMetadata);
      const edition = isOurs ? decodeEditionAccount(account.data) : null;
      return { address, edition };
    };
    const printsOf = (parent: AddressBytes): Edition[] =>
      this.#sortedEditions().filter((edition) => text(edition.parent) === text(parent));
    const holdersOf = (mint: AddressBytes): Holder[] =>
      [...this.#accounts.values()].flatMap(({ state, facts: { holding } }) =>
        holding !== null && text(holding.mint) === text(mint)
          ? [{ tokenAccount: holding.tokenAccount, amount: amountHeld(state.current, holding) }]
          : [],
      );
    const getAssets = (ordinals: readonly number[]): Numbered[] =>
      ordinals.map((ordinal) => [...this.#assets.values()].find((asset) => asset.ordinal === ordinal)!);
    const handlers: ReadHandlers<ReadView> = {
      account: (_, { address }) => findAccount(address),
      accountWithMint: answerJoined,
      delegated: answerJoined,
      asset: answerJoined,
      isTreeIncomplete: () => false,
      ledger: (_, { of, keys }) => this.readLedger(of, keys),
      treeTop: answerJoined,
      leafPath: answerJoined,
      itemCache: () => null,
      accounts: (_, { addresses }) => addresses.map(findAccount),
      tokenAccounts: (_, { addresses }) =>
        addresses.map((address) => baseTokenAccount(findAccount(address)!)),
      isClosed: (_, { address }) => this.#accounts.get(text(address))?.state.current.lamports === 0n,
      moreDelegated: (_, { query: { delegate, tokenProgram, mint, after, limit } }) =>
        [...this.#accounts.values()]
          .filter(({ facts }) => facts.delegate !== null && text(facts.delegate) === text(delegate))
          .filter(({ facts }) => mint === null || text(facts.delegateMint!) === text(mint))
          .map(({ state }) => state.current)
          .filter(({ programOwner }) => text(programOwner) === text(tokenProgram))
          .toSorted((a, b) => byBytes(a.address, b.address))
          .filter(({ address }) => after === undefined || byBytes(address, after) > 0)
          .slice(0, limit),
      holdings: (_, { query: { tokenOwner, mints, after, limit } }) =>
        mints.flatMap((mint) =>
          [...this.#accounts.values()]
            .flatMap(({ facts }) => facts.holding ?? [])
            .filter((one) => text(one.tokenOwner) === text(tokenOwner) && text(one.mint) === text(mint))
            .filter(({ tokenAccount }) => after === undefined || byBytes(tokenAccount, after) > 0)
            .toSorted((a, b) => byBytes(a.tokenAccount, b.tokenAccount))
            .slice(0, limit),
        ),
      walletHoldings: (_, { query: { tokenOwner, after, limit } }) =>
        [...this.#accounts.values()]
          .flatMap(({ facts }) => facts.holding ?? [])
          .filter((one) => text(one.tokenOwner) === text(tokenOwner))
          .toSorted((a, b) => byBytes(placeOf(a), placeOf(b)))
          .filter((one) => after === undefined || byBytes(placeOf(one), placeOf(after)) > 0)
          .slice(0, limit),
      heldAccounts: answerJoined,
      holders: (_, { query }) =>
        holdersOf(query.mint)
          .filter(({ amount }) => query.showsEmpty || amount > 0n)
          .toSorted(byHolderOrder(query))
          .filter((one) => query.after === undefined || byHolderOrder(query)(one, query.after) > 0)
          .slice(0, query.limit),
      holderCount: (_, { mint }) => {
        const positive = holdersOf(mint).filter(({ amount }) => amount > 0n).length;
        return { positive, empty: holdersOf(mint).length - positive };
      },
      holderPage: answerJoined,
      largest: (_, { query }) =>
        living()
          .filter((account) => this.#isCounted(account, query))
          .toSorted((a, b) =>
            a.lamports === b.lamports ? byBytes(b.address, a.address) : a.lamports < b.lamports ? 1 : -1,
          )
          .slice(0, query.limit),
      ownAsset: (_, { id }) => this.#assets.get(text(id)) ?? null,
      ownAssets: (_, { ordinals }) => getAssets(ordinals),
      packedAssets: (_, { ordinals }) => packAssets(getAssets(ordinals)),
      contents: (_, { uris }) => uris.map(() => null),
      packedContents: (_, { uris }) => packContents(uris.map(() => null)),
      edition: (_, { mintOrAddress: either }) =>
        this.#sortedEditions().find(({ mint }) => text(mint) === text(either)) ??
        this.#editions.get(text(either)) ??
        null,
      editions: (_, { parent, start, limit }) => listPrints(printsOf(parent), start, limit),
      editionCount: (_, { parent }) => printsOf(parent).length,
      editionPage: (_, { address: asked, start, limit }) => {
        const own = editionAt(asked);
        const { address, edition } = own.edition?.kind === "edition" ? editionAt(own.edition.parent) : own;
        if (edition?.kind !== "masterEdition") return pageOfPrints(null, [], start, limit);
        const master = { address, supply: edition.supply, maxSupply: edition.maxSupply };
        return pageOfPrints(master, printsOf(address), start, limit);
      },
      search: (_, { query }) => this.#search(query),
    };
    return {
      slot: this.slot,
      coverage: this.coverage,
      incompleteTrees: this.#incompleteTrees(),
      close: () => {},
      get terms(): never {
        throw new Error("the model has no index beside it");
      },
      read(asked) {
        return handlers[asked.kind](this, asked);
      },
    };
  }

  #incompleteTrees(): readonly TreeCoverage[] {
    return [...this.#ledger.values()]
      .filter(({ kind }) => kind === "tree")
      .map(({ key, state }) => treeCoverageOf(text(key), parseTreeState(state)))
      .filter((tree) => !isTreeComplete(tree));
  }

  #isCounted(account: Account, { filter, clock }: LargestQuery): boolean {
    if (filter === "all") return true;
    const { nonCirculatingStake } = this.#accounts.get(text(account.address))!.facts;
    const isHeld =
      isNonCirculatingAccount(account.address) ||
      (nonCirculatingStake !== null && isNonCirculatingAt(nonCirculatingStake, clock));
    return isHeld === (filter === "nonCirculating");
  }

  #sortedEditions(): Edition[] {
    return [...this.#editions.values()].toSorted((a, b) =>
      a.number === b.number ? byBytes(a.address, b.address) : a.number < b.number ? -1 : 1,
    );
  }

  #search(query: AssetQuery): AssetPage {
    const sign = query.direction === "asc" ? 1 : -1;
    const compare = (a: Position, b: Position): number =>
      sign *
      (query.sort === "none" ? a.position - b.position : a.position - b.position || byBytes(a.id, b.id));
    const positionOf = (asset: Numbered): Position => ({
      id: asset.id,
      position:
        query.sort === "id"
          ? 0
          : query.sort === "none"
            ? asset.ordinal
            : query.sort === "created"
              ? asset.createdSlot
              : asset.updatedSlot,
    });
    const all = [...this.#assets.values()]
      .filter((asset) => this.#matches(query, asset))
      .toSorted((a, b) => compare(positionOf(a), positionOf(b)));
    const { start } = query;
    const anchor =
      start.kind === "after" || start.kind === "before" ? this.#assets.get(text(start.id)) : null;
    if (anchor === undefined) throw unknownStartError(start.kind as "after" | "before");
    const place =
      start.kind === "cursor" ? decodeAssetCursor(start.cursor, query) : anchor && positionOf(anchor);
    const page = cut(query, all, (asset) => (place === null ? 0 : compare(positionOf(asset), place)));
    const last = page.at(-1);
    const { sort, direction } = query;
    return {
      total: all.length,
      ordinals: page.map(({ ordinal }) => ordinal),
      cursor:
        last === undefined || last === all.at(-1)
          ? null
          : encodeAssetCursor({ sort, direction, ...positionOf(last) }),
    };
  }

  #matches({ criteria, match, negate }: AssetQuery, asset: Numbered): boolean {
    const collection = asset.inherits === null ? null : (this.#assets.get(text(asset.inherits.from)) ?? null);
    const met = criteria.map((criterion) => {
      const form = inheritedForm(criterion);
      if (form === null) return this.#meets(criterion, asset);
      return (
        (matchesCriterion(form.own, asset) || meetsByInheritance(form, asset, collection)) !== form.negate
      );
    });
    const group = criteria.length === 0 || (match === "all" ? met.every(Boolean) : met.some(Boolean));
    return group !== negate;
  }

  #meets(criterion: Criterion, asset: Numbered): boolean {
    if (criterion.kind !== "owner") return matchesCriterion(criterion, asset);
    const { owner, ownerModel, includeZero } = criterion;
    if (ownerModel !== "token" && matchesCriterion(criterion, asset)) return true;
    if (ownerModel === "single" || asset.ownerModel !== "token" || asset.supplyMint === null) return false;
    const mint = text(asset.supplyMint);
    return [...this.#accounts.values()].some(
      ({ facts: { holding } }) =>
        holding !== null &&
        text(holding.tokenOwner) === text(owner) &&
        text(holding.mint) === mint &&
        (holding.positive || includeZero),
    );
  }
}

const linkKey = ({ role, target, source }: Link): string => `${role}${text(target)}${text(source)}`;

/** The order of a wallet's token accounts as bytes. */
const placeOf = ({ mint, tokenAccount }: Pick<Holding, "mint" | "tokenAccount">): Uint8Array =>
  Buffer.concat([mint, tokenAccount]);
