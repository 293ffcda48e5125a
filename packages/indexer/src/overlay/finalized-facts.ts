import type {
  AddressBytes,
  Asset,
  ChangeSet,
  CommitReceipt,
  NumberedFacts,
  Ordinal,
  ReadView,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import type { Delta, Path } from "../engine/delta.ts";
import { mergeAssetChanges } from "../engine/delta-draft.ts";
import { factsOf } from "../engine/packed-asset.ts";
import { FINALIZED_FACTS_MAX } from "./limits.ts";

/** An asset that a path changes against the finalized store. */
export interface PathAsset {
  readonly id: AddressBytes;
  /** Its state at the end of the path; null = removed. */
  readonly asset: Asset | null;
  /** Its state in the finalized store; null = not there. */
  readonly before: NumberedFacts | null;
  /**
   * The ordinal that the store has given, or will give when the path is finalized; null when the asset is removed.
   */
  readonly ordinal: Ordinal | null;
}

/** All assets that a path changes. */
export interface PathAssets {
  readonly byId: ReadonlyMap<string, PathAsset>;
  readonly byOrdinal: ReadonlyMap<Ordinal, PathAsset>;
  /** Ordinals in the finalized store of the assets that the path changes. */
  readonly hidden: ReadonlySet<Ordinal>;
}

/** Caches the finalized facts of assets that unfinalized slots change, for as long as they change them. */
export class FinalizedFacts {
  readonly #known = new Map<string, NumberedFacts | null>();
  /** The store's change counter for which `#known` is correct. */
  #changeSeq: number | null = null;
  readonly #paths = new WeakMap<Delta, { readonly changeSeq: number; readonly assets: PathAssets }>();

  /** The changes of a path, compared with a view of the finalized store. */
  async pathAssets(path: Path, finalized: ReadView): Promise<PathAssets> {
    const top = path[0]!;
    const { changeSeq } = finalized.terms;
    const kept = this.#paths.get(top);
    if (kept !== undefined && kept.changeSeq === changeSeq) return kept.assets;
    const merged = mergeAssetChanges(path);
    const known = await this.#read(merged, finalized);
    const assets = numberAssets(merged, known, finalized.terms.nextOrdinal);
    this.#paths.set(top, { changeSeq, assets });
    return assets;
  }

  /**
   * Applies a commit of finalized slots to the facts that are kept.
   *
   * @param isStillChanged - by id key, whether some unfinalized slot changes the asset
   */
  applyFinalized(changes: ChangeSet, receipt: CommitReceipt, isStillChanged: (key: string) => boolean): void {
    if (this.#changeSeq === null) return;
    for (const id of changes.assetsRemoved) this.#move(addressKey(id), null, isStillChanged);
    for (const [index, asset] of changes.assets.entries()) {
      const ordinal = receipt.ordinals[index]!;
      this.#move(addressKey(asset.id), { ...factsOf(asset), ordinal }, isStillChanged);
    }
    this.#changeSeq = receipt.changeSeq;
    this.#keepWithinBounds();
  }

  /**
   * The overlay calls it after the path was committed; `changeSeq` is the store's change counter afterwards. Facts of
   * its assets are read again when they are needed. Returns false if something else was committed since `before`: then
   * no cached fact can be trusted.
   */
  forgetFinalized(path: Path, before: number, changeSeq: number): boolean {
    if (this.#changeSeq === null) return true;
    const finalized = mergeAssetChanges(path);
    if (this.#changeSeq !== before || finalized.size !== changeSeq - before) return false;
    for (const key of finalized.keys()) this.#known.delete(key);
    this.#changeSeq = changeSeq;
    this.#keepWithinBounds();
    return true;
  }

  /** No event reports that only dropped forks changed an asset, so the cache is pruned here. */
  #keepWithinBounds(): void {
    if (this.#known.size > FINALIZED_FACTS_MAX) this.#known.clear();
  }

  #move(key: string, facts: NumberedFacts | null, isStillChanged: (key: string) => boolean): void {
    if (isStillChanged(key)) this.#known.set(key, facts);
    else this.#known.delete(key);
  }

  async #read(merged: MergedAssets, finalized: ReadView): Promise<ReadonlyMap<string, NumberedFacts | null>> {
    const { changeSeq } = finalized.terms;
    // The view is of an older finalized slot, or another process has committed. Cached facts may not match it.
    const isKept = this.#changeSeq === null || this.#changeSeq === changeSeq;
    const known = isKept ? this.#known : new Map<string, NumberedFacts | null>();
    const unknown = [...merged].filter(([key]) => !known.has(key));
    // Copied before the wait, because the finalized slot and the cache may change during it.
    const found = new Map(known);
    const facts = await finalized.terms.readFacts(unknown.map(([, { id }]) => id));
    for (const [index, [key]] of unknown.entries()) found.set(key, facts[index] ?? null);
    // The finalized slot may have moved during the read.
    if (isKept && (this.#changeSeq === null || this.#changeSeq === changeSeq)) {
      this.#changeSeq = changeSeq;
      for (const [key] of unknown) this.#known.set(key, found.get(key) ?? null);
    }
    return found;
  }
}

type MergedAssets = ReturnType<typeof mergeAssetChanges>;

const numberAssets = (
  merged: MergedAssets,
  known: ReadonlyMap<string, NumberedFacts | null>,
  nextOrdinal: Ordinal,
): PathAssets => {
  const byId = new Map<string, PathAsset>();
  const byOrdinal = new Map<Ordinal, PathAsset>();
  const hidden = new Set<Ordinal>();
  let next = nextOrdinal;
  for (const [key, { id, asset, isRecreated }] of merged) {
    const before = known.get(key) ?? null;
    if (before !== null) hidden.add(before.ordinal);
    const isNew = before === null || isRecreated;
    const ordinal = asset === null ? null : isNew ? next++ : before.ordinal;
    const one: PathAsset = { id, asset, before, ordinal };
    byId.set(key, one);
    if (ordinal !== null) byOrdinal.set(ordinal, one);
  }
  return { byId, byOrdinal, hidden };
};
