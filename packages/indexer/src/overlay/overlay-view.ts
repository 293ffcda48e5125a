import { encodeAddress } from "@lamplight/codecs";
import {
  type AccountReader,
  type AddressBytes,
  type AssetReader,
  type Coverage,
  type EditionReader,
  isTreeComplete,
  type MaybePromise,
  type Ordinal,
  packAssets,
  packContents,
  type PackedAssets,
  type PackedContents,
  parseTreeState,
  type ReadView,
  type SearchReader,
  type Slot,
  type FoundAsset,
  type ItemsOfState,
  type StoredAsset,
  type StoredContent,
  type TermReader,
  treeCoverageOf,
  type TreeCoverage,
  whenReady,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { ledgerKey, newest, readThrough } from "../engine/layer.ts";
import type { BaseFacts, PathAssets } from "./base-facts.ts";
import { OverlayAccounts } from "./overlay-accounts.ts";
import { OverlayEditions } from "./overlay-editions.ts";
import { OverlaySearch } from "./overlay-search.ts";
import type { Path } from "../engine/delta.ts";
import type { SlotTree } from "./slot-tree.ts";

/**
 * Whether a view of the finalized store is enough to answer at `tip`; null = at the finalized slot. A view that was
 * opened before the finalized slot moved is behind: an earlier answer may have been of the newer slot.
 */
export const isNewest = (base: ReadView, tip: Slot | null, tree: Pick<SlotTree, "state">): boolean =>
  tip === null ? base.slot >= tree.state().finalizedSlot : tip <= base.slot;

/**
 * The chain at one unfinalized slot: its path over a view of the finalized store. Neither changes while the view is
 * open.
 */
export class OverlayView implements ReadView {
  readonly slot: Slot;
  readonly accounts: AccountReader;
  readonly assets: AssetReader;
  readonly search: SearchReader;
  readonly #path: Path;
  readonly #base: ReadView;
  #editions: EditionReader | null = null;

  constructor(slot: Slot, path: Path, base: ReadView, facts: BaseFacts) {
    this.slot = slot;
    this.#path = path;
    this.#base = base;
    const readPathAssets = (): Promise<PathAssets> => facts.pathAssets(path, base);
    this.accounts = new OverlayAccounts(path, base.accounts);
    this.assets = new OverlayAssets(path, base.assets, readPathAssets);
    this.search = new OverlaySearch(path, base, readPathAssets);
  }

  /** The view of the finalized store below the path. */
  get base(): ReadView {
    return this.#base;
  }

  get path(): Path {
    return this.#path;
  }

  /** Created on first use: it collects the prints of the whole path, and few calls need them. */
  get editions(): EditionReader {
    this.#editions ??= new OverlayEditions(this.#path, this.#base.editions, this.accounts);
    return this.#editions;
  }

  /** From the finalized store: overlays are for readers of views, not for an index that follows the store. */
  get terms(): TermReader {
    return this.#base.terms;
  }

  get coverage(): Coverage {
    return this.#base.coverage;
  }

  get incompleteTrees(): readonly TreeCoverage[] {
    const changed = new Map<string, TreeCoverage>();
    for (const changes of this.#path.toReversed()) {
      for (const one of changes.ledger) {
        if (one.kind !== "tree") continue;
        const tree = encodeAddress(one.key);
        changed.set(tree, treeCoverageOf(tree, parseTreeState(one.state)));
      }
    }
    if (changed.size === 0) return this.#base.incompleteTrees;
    return [
      ...this.#base.incompleteTrees.filter(({ tree }) => !changed.has(tree)),
      ...[...changed.values()].filter((tree) => !isTreeComplete(tree)),
    ];
  }

  isTreeIncomplete(tree: AddressBytes): MaybePromise<boolean> {
    const key = ledgerKey("tree", tree);
    const changed = newest(this.#path, ({ ledgerStates }) => ledgerStates.get(key));
    if (changed === undefined) return this.#base.isTreeIncomplete?.(tree) ?? false;
    return !isTreeComplete(treeCoverageOf(encodeAddress(tree), parseTreeState(changed.state)));
  }

  cancel(): void {
    this.#base.cancel?.();
  }

  close(): void {
    this.#base.close();
  }
}

class OverlayAssets implements AssetReader {
  readonly #path: Path;
  readonly #base: AssetReader;
  readonly #readPathAssets: () => Promise<PathAssets>;

  constructor(path: Path, base: AssetReader, readPathAssets: () => Promise<PathAssets>) {
    this.#path = path;
    this.#base = base;
    this.#readPathAssets = readPathAssets;
  }

  async findAsset(id: AddressBytes): Promise<FoundAsset | null> {
    const key = addressKey(id);
    if (!this.#path.some((changes) => changes.assetChanges.has(key))) return this.#base.findAsset(id);
    const one = (await this.#readPathAssets()).byId.get(key);
    if (one === undefined || one.asset === null || one.ordinal === null) return null;
    const { document, extras, updatedSlot } = one.asset;
    return { ordinal: one.ordinal, document, extras, updatedSlot };
  }

  async getAssets(
    ordinals: readonly Ordinal[],
    bytesMax = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly (StoredAsset | null)[]> {
    const { byOrdinal } = await this.#readPathAssets();
    const find = (ordinal: Ordinal): StoredAsset | null | undefined => {
      const changed = byOrdinal.get(ordinal)?.asset ?? undefined;
      if (changed === undefined) return undefined;
      const { document, extras } = changed;
      const isLarge = Buffer.byteLength(document) > bytesMax || Buffer.byteLength(extras ?? "") > bytesMax;
      return isLarge ? null : { ordinal, document, extras };
    };
    return readThrough(ordinals, find, (rest) => this.#base.getAssets(rest, bytesMax));
  }

  async packAssets(ordinals: readonly Ordinal[], bytesMax: number): Promise<PackedAssets> {
    const { byOrdinal } = await this.#readPathAssets();
    const isChanged = ordinals.some((ordinal) => byOrdinal.has(ordinal));
    const packed = isChanged ? undefined : this.#base.packAssets?.(ordinals, bytesMax);
    return packed ?? packAssets(await this.getAssets(ordinals, bytesMax));
  }

  /** Has nothing of a changed asset: the cache is of the finalized store. */
  async itemCache(ordinals: readonly Ordinal[]): Promise<ItemsOfState | null> {
    const { byOrdinal } = await this.#readPathAssets();
    const isChanged = ordinals.some((ordinal) => byOrdinal.has(ordinal));
    return isChanged ? null : (this.#base.itemCache?.(ordinals) ?? null);
  }

  packContents(uris: readonly string[], bytesMax: number): MaybePromise<PackedContents> {
    return (
      this.#base.packContents?.(uris, bytesMax) ??
      whenReady(this.#base.readContents(uris, bytesMax), packContents)
    );
  }

  /** Off-chain documents are not chain state: they are the same at every commitment. */
  readContents(uris: readonly string[], bytesMax?: number): MaybePromise<readonly (StoredContent | null)[]> {
    return this.#base.readContents(uris, bytesMax);
  }
}
