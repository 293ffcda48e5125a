import {
  type AddressBytes,
  type AnswerTo,
  type ItemsOfState,
  type Ordinal,
  packAssets,
  type PackedAssets,
  reads,
  type ReadView,
  type StoredAsset,
} from "@lamplight/core";
import { addressKey } from "../engine/address-map.ts";
import { textBytesOf } from "../engine/packed-asset.ts";
import type { Path } from "../engine/delta.ts";
import { newest, readThrough } from "../engine/layer.ts";
import type { PathAssets } from "./finalized-facts.ts";

/** Stored parts of assets as of the newest slot of a path. */
export class OverlayAssets {
  readonly #path: Path;
  readonly #finalized: Pick<ReadView, "read">;
  readonly #readPathAssets: () => Promise<PathAssets>;

  constructor(path: Path, finalized: Pick<ReadView, "read">, readPathAssets: () => Promise<PathAssets>) {
    this.#path = path;
    this.#finalized = finalized;
    this.#readPathAssets = readPathAssets;
  }

  async findAsset(id: AddressBytes): Promise<AnswerTo<"ownAsset">> {
    const key = addressKey(id);
    const changed = newest(this.#path, ({ assetChanges }) => assetChanges.get(key));
    if (changed === undefined) return this.#finalized.read(reads.ownAsset(id));
    if (changed.asset === null) return null;
    const { document, extras, updatedSlot } = changed.asset;
    return { document, extras, updatedSlot };
  }

  async getAssets(
    ordinals: readonly Ordinal[],
    bytesMax = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly (StoredAsset | null)[]> {
    const { byOrdinal } = await this.#readPathAssets();
    const find = (ordinal: Ordinal): StoredAsset | null | undefined => {
      const changed = byOrdinal.get(ordinal)?.asset ?? undefined;
      if (changed === undefined) return undefined;
      const bytes = textBytesOf(changed);
      const isLarge = bytes.document > bytesMax || bytes.extras > bytesMax;
      return isLarge ? null : { document: changed.document, extras: changed.extras };
    };
    return readThrough(ordinals, find, (rest) => this.#finalized.read(reads.ownAssets(rest, bytesMax)));
  }

  async packAssets(ordinals: readonly Ordinal[], bytesMax: number): Promise<PackedAssets> {
    return (await this.#areChanged(ordinals))
      ? packAssets(await this.getAssets(ordinals, bytesMax))
      : this.#finalized.read(reads.packedAssets(ordinals, bytesMax));
  }

  /** Has nothing of a changed asset: the cache is of the finalized store. */
  async itemCache(ordinals: readonly Ordinal[]): Promise<ItemsOfState | null> {
    return (await this.#areChanged(ordinals)) ? null : this.#finalized.read(reads.itemCache(ordinals));
  }

  async #areChanged(ordinals: readonly Ordinal[]): Promise<boolean> {
    const { byOrdinal } = await this.#readPathAssets();
    return ordinals.some((ordinal) => byOrdinal.has(ordinal));
  }
}
