import {
  type AddressBytes,
  AddressSet,
  type Asset,
  type AssetChange,
  type AssetFacts,
  type AssetPosition,
  type Criterion,
  holdingsNotIndexed,
  matchesCriterion,
  type NumberedFacts,
  type Ordinal,
  type TermReader,
  needsHoldings,
  type OwnerCriterion,
} from "@lamplight/core";
import { sameBytes } from "@lamplight/codecs";
import { addressKey, holdingsAfter, touchedHolders } from "@lamplight/indexer";
import { listEveryHolding, listTokenOrdinals, type TransactionView } from "@lamplight/store-postgres";
import { changeSeqBefore, type NumberedPath } from "../numbered-delta.ts";
import { inOrder } from "../writer/routed-reader.ts";
import type { MixedBase } from "./mixed-base.ts";
import type { Touched } from "./touched.ts";

/** The reads of a search index, at the state of a view: rows that the path does not touch, and what it touches. */
export class ShardsTerms implements TermReader {
  readonly storeId: string;
  readonly changeSeq: number;
  readonly nextOrdinal: Ordinal;
  readonly history: NonNullable<TermReader["history"]>;
  readonly #path: NumberedPath;
  readonly #touched: Touched;
  readonly #base: MixedBase;

  readonly #hasHoldings: boolean;

  /** @param coordinator - which has the numbers */
  constructor(
    { terms: coordinator, settings }: TransactionView,
    path: NumberedPath,
    touched: Touched,
    base: MixedBase,
  ) {
    this.#hasHoldings = settings.holdings;
    this.storeId = coordinator.storeId;
    this.changeSeq = coordinator.changeSeq;
    this.nextOrdinal = coordinator.nextOrdinal;
    this.history = coordinator.history!;
    this.#path = path;
    this.#touched = touched;
    this.#base = base;
  }

  async listOrdinals(criterion: Criterion, limit: number): Promise<Uint32Array | null> {
    const { hidden, byOrdinal } = this.#touched.assets;
    const most = limit + hidden.size;
    const mints = needsHoldings(criterion) ? await this.#mintsHeldBy(criterion) : null;
    const lists = await this.#base.all((view) => listOn(view, criterion, mints, most));
    if (lists.some((list) => list === null)) return null;
    const found = new Set(lists.flatMap((list) => [...list!]));
    for (const ordinal of hidden) found.delete(ordinal);
    for (const [ordinal, { asset }] of byOrdinal)
      if (asset !== null && isMet(criterion, mints, asset)) found.add(ordinal);
    return found.size > limit ? null : Uint32Array.from(found).toSorted();
  }

  async filterByName(ordinals: Uint32Array, name: string): Promise<Uint32Array> {
    const { hidden, byOrdinal } = this.#touched.assets;
    const stored = ordinals.filter((ordinal) => !hidden.has(ordinal));
    const lists = await this.#base.all(({ terms }) => terms.filterByName(stored, name));
    const changed = ordinals.filter((ordinal) => {
      const asset = byOrdinal.get(ordinal)?.asset ?? null;
      return asset !== null && matchesCriterion({ kind: "name", name }, asset);
    });
    return Uint32Array.from([...lists.flatMap((list) => [...list]), ...changed]).toSorted();
  }

  async listChanges(changeSeq: number, limit: number): Promise<readonly AssetChange[]> {
    const settledSeq = changeSeqBefore(this.#path, this.changeSeq);
    const stored: AssetChange[] = [];
    for (let from = changeSeq; from < settledSeq && stored.length < limit;) {
      const page = await this.#changesPage(from, limit);
      stored.push(...page.filter((change) => change.changeSeq <= settledSeq && !this.#isTouched(change)));
      from = page.length < limit ? settledSeq : page.at(-1)!.changeSeq;
    }
    return [...stored, ...this.#changesOfPath(changeSeq)].slice(0, limit);
  }

  async readFacts(ids: readonly AddressBytes[]): Promise<readonly (NumberedFacts | null)[]> {
    const { byId } = this.#touched.assets;
    const stored = ids.filter((id) => !byId.has(addressKey(id)));
    const facts = await inOrder(stored, this.#base.count, (place, some) =>
      this.#base.on(place, ({ terms }) => terms.readFacts(some)),
    );
    let next = 0;
    return ids.map((id) => {
      const changed = byId.get(addressKey(id));
      if (changed === undefined) return facts[next++] ?? null;
      const { asset, ordinal } = changed;
      return asset === null || ordinal === null ? null : { ...factsOf(asset), ordinal };
    });
  }

  async readPositions(ordinals: readonly Ordinal[]): Promise<readonly AssetPosition[]> {
    const { byOrdinal } = this.#touched.assets;
    const stored = ordinals.filter((ordinal) => !byOrdinal.has(ordinal));
    const found = new Map<Ordinal, AssetPosition>();
    if (stored.length > 0) {
      // A shard has nothing for the ordinals of others.
      const lists = await this.#base.all(
        ({ terms }) => terms.readPositions(stored) as Promise<readonly (AssetPosition | undefined)[]>,
      );
      for (const one of lists.flat()) if (one !== undefined) found.set(one.ordinal, one);
    }
    return ordinals.map((ordinal) => {
      const asset = byOrdinal.get(ordinal)?.asset ?? null;
      if (asset === null) return found.get(ordinal)!;
      const { id, createdSlot, updatedSlot } = asset;
      return { ordinal, id, createdSlot, updatedSlot };
    });
  }

  /** The next changes of all shards, in their order. It is complete up to its last one. */
  async #changesPage(from: number, limit: number): Promise<readonly AssetChange[]> {
    const pages = await this.#base.all(({ terms }) => terms.listChanges(from, limit));
    return pages
      .flat()
      .toSorted((a, b) => a.changeSeq - b.changeSeq)
      .slice(0, limit);
  }

  /** A removal is never undone: its ordinal does not come back. */
  #isTouched({ facts }: AssetChange): boolean {
    return facts !== null && this.#touched.assets.byId.has(addressKey(facts.id));
  }

  #changesOfPath(changeSeq: number): readonly AssetChange[] {
    const { byId } = this.#touched.assets;
    const changes: AssetChange[] = [];
    for (const { delta, numbers } of this.#path)
      for (const [key, { removed, put }] of numbers) {
        if (removed !== null) changes.push({ ...removed, facts: null });
        const { asset, ordinal } = byId.get(key)!;
        const isNewest = this.#path.find((one) => one.numbers.has(key))?.delta === delta;
        if (put !== null && isNewest && put.ordinal === ordinal)
          changes.push({ ...put, facts: asset === null ? null : factsOf(asset) });
      }
    return changes
      .filter((change) => change.changeSeq > changeSeq)
      .toSorted((a, b) => a.changeSeq - b.changeSeq);
  }

  /** Mints of which a wallet has a token account, in any shard. */
  async #mintsHeldBy({ owner, includeZero }: OwnerCriterion): Promise<readonly AddressBytes[]> {
    if (!this.#hasHoldings) throw holdingsNotIndexed();
    const lists = await this.#base.all((view) => view.use((session) => listEveryHolding(session, owner)));
    const deltas = this.#path.map(({ delta }) => delta);
    const held = holdingsAfter(lists.flat(), owner, touchedHolders(owner, deltas), deltas);
    const mints = new AddressSet();
    for (const { mint, positive } of held) if (positive || includeZero) mints.add(mint);
    return mints.addresses();
  }
}

/** @param mints - that the owner of the criterion holds; null where it asks for no holder */
const listOn = async (
  view: TransactionView,
  criterion: Criterion,
  mints: readonly AddressBytes[] | null,
  limit: number,
): Promise<readonly Ordinal[] | null> => {
  if (mints === null || criterion.kind !== "owner") {
    const list = await view.terms.listOrdinals(criterion, limit);
    return list === null ? null : [...list];
  }
  const ofHolders = await view.use((session) => listTokenOrdinals(session, mints));
  if (criterion.ownerModel === "token") return ofHolders;
  const single = await view.terms.listOrdinals({ ...criterion, ownerModel: "single" }, limit);
  return single === null ? null : [...ofHolders, ...single];
};

/** An index keeps facts of recent changes, and no documents. */
const factsOf = (asset: Asset): AssetFacts => {
  const facts: Partial<Asset> = { ...asset };
  delete (facts as { document?: string }).document;
  delete (facts as { extras?: string | null }).extras;
  return facts as AssetFacts;
};

const isMet = (criterion: Criterion, mints: readonly AddressBytes[] | null, facts: AssetFacts): boolean => {
  if (criterion.kind !== "owner" || mints === null) return matchesCriterion(criterion, facts);
  const { ownerModel, supplyMint } = facts;
  if (ownerModel === "token" && supplyMint !== null) return mints.some((mint) => sameBytes(mint, supplyMint));
  return criterion.ownerModel !== "token" && matchesCriterion(criterion, facts);
};
