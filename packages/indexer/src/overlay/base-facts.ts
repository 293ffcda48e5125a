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
import { baseFactsMax } from "./limits.ts";

/** An asset that a path changes against the finalized store. */
export interface PathAsset {
  readonly id: AddressBytes;
  /** As it is on the path; null = gone. */
  readonly asset: Asset | null;
  /** As the finalized store has it; null = not there. */
  readonly base: NumberedFacts | null;
  /** The store's number, or the one it will give when the path is finalized; null when the asset is gone. */
  readonly ordinal: Ordinal | null;
}

/** All assets that a path changes. */
export interface PathAssets {
  readonly byId: ReadonlyMap<string, PathAsset>;
  readonly byOrdinal: ReadonlyMap<Ordinal, PathAsset>;
  /** Numbers of the finalized store whose assets are not what they were. */
  readonly hidden: ReadonlySet<Ordinal>;
}

/** Finalized facts of the assets that unfinalized slots change, read once and kept while they do. */
export class BaseFacts {
  readonly #known = new Map<string, NumberedFacts | null>();
  /** The store's change counter at which `#known` holds. */
  #changeSeq: number | null = null;
  readonly #paths = new WeakMap<Delta, { readonly changeSeq: number; readonly assets: PathAssets }>();

  /** What a path changes against the view it is laid over. */
  async pathAssets(path: Path, base: ReadView): Promise<PathAssets> {
    const top = path[0]!;
    const { changeSeq } = base.terms;
    const kept = this.#paths.get(top);
    if (kept !== undefined && kept.changeSeq === changeSeq) return kept.assets;
    const merged = mergeAssetChanges(path);
    const known = await this.#read(merged, base);
    const assets = numberAssets(merged, known, base.terms.nextOrdinal);
    this.#paths.set(top, { changeSeq, assets });
    return assets;
  }

  /** @param isStillChanged - by id key, whether some unfinalized slot changes the asset */
  moveRoot(changes: ChangeSet, receipt: CommitReceipt, isStillChanged: (key: string) => boolean): void {
    if (this.#changeSeq === null) return;
    for (const id of changes.assetsRemoved) this.#move(addressKey(id), null, isStillChanged);
    for (const [index, asset] of changes.assets.entries()) {
      const ordinal = receipt.ordinals[index]!;
      this.#move(addressKey(asset.id), { ...asset, ordinal }, isStillChanged);
    }
    this.#changeSeq = receipt.changeSeq;
    this.#keepWithinBounds();
  }

  /**
   * The path is in the store, which is at `changeSeq` now: what it changed is read again when it is needed. False
   * where something else was written since `before`, so that nothing kept can be trusted.
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

  /** No event says that changes of dead forks only are no longer of use. */
  #keepWithinBounds(): void {
    if (this.#known.size > baseFactsMax) this.#known.clear();
  }

  #move(key: string, facts: NumberedFacts | null, isStillChanged: (key: string) => boolean): void {
    if (isStillChanged(key)) this.#known.set(key, facts);
    else this.#known.delete(key);
  }

  async #read(merged: MergedAssets, base: ReadView): Promise<ReadonlyMap<string, NumberedFacts | null>> {
    const { changeSeq } = base.terms;
    // A view of an older finalized slot, or one that someone else has moved: nothing kept is true of it.
    const isKept = this.#changeSeq === null || this.#changeSeq === changeSeq;
    const known = isKept ? this.#known : new Map<string, NumberedFacts | null>();
    const unknown = [...merged].filter(([key]) => !known.has(key));
    // Copied before the wait, in which the root may move and what is known with it.
    const found = new Map(known);
    const facts = await base.terms.readFacts(unknown.map(([, { id }]) => id));
    for (const [index, [key]] of unknown.entries()) found.set(key, facts[index] ?? null);
    // Reading may have taken a turn in which the finalized slot moved.
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
  for (const [key, { id, asset, isReborn }] of merged) {
    const base = known.get(key) ?? null;
    if (base !== null) hidden.add(base.ordinal);
    const isNew = base === null || isReborn;
    const ordinal = asset === null ? null : isNew ? next++ : base.ordinal;
    const one: PathAsset = { id, asset, base, ordinal };
    byId.set(key, one);
    if (ordinal !== null) byOrdinal.set(ordinal, one);
  }
  return { byId, byOrdinal, hidden };
};
