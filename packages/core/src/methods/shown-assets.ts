import { decodeAddress } from "@lamplight/codecs";
import type { Asset, CollectionMetadata } from "@lamplight/contract";
import type { StoredAsset } from "../domain/asset.ts";
import type { JsonText } from "../json/json-text.ts";
import { joinAsset } from "../shaping/join-asset.ts";
import { AssetDraft, collectionMetadataOf, type DisplayOptions } from "../shaping/shape-asset.ts";
import { pause, readAll, type Steps } from "./steps.ts";

/** Public documents of joined assets, with what display options add. */
export class ShownAssets {
  readonly #options: DisplayOptions;
  /** Metadata of collections by base58 id; also of those that are unknown. */
  readonly #collections = new Map<string, JsonText<CollectionMetadata>>();

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  /** Same order and length as `assets`. Collections are read once, those of all these assets together. */
  *shape(assets: readonly StoredAsset[]): Steps<readonly JsonText<Asset>[]> {
    const drafts: AssetDraft[] = [];
    for (const asset of assets) {
      yield pause;
      drafts.push(new AssetDraft(asset, this.#options));
    }
    if (this.#options.showCollectionMetadata === true) yield* this.#readCollections(drafts);
    const shaped: JsonText<Asset>[] = [];
    for (const draft of drafts) {
      yield pause;
      shaped.push(draft.finish(this.#collections));
    }
    return shaped;
  }

  *#readCollections(drafts: readonly AssetDraft[]): Steps<void> {
    const unread = new Set<string>();
    for (const draft of drafts)
      for (const id of draft.collections()) if (!this.#collections.has(id)) unread.add(id);
    const ids = [...unread];
    for (let from = 0; from < ids.length; from += COLLECTIONS_PER_READ) {
      const asked = ids.slice(from, from + COLLECTIONS_PER_READ);
      const found = yield* readAll<"asset">(asked.map((id) => ({ kind: "asset", id: decodeAddress(id) })));
      for (const [index, id] of asked.entries()) {
        yield pause;
        const asset = found[index] ?? null;
        this.#collections.set(id, collectionMetadataOf(asset === null ? null : joinAsset(asset)));
      }
    }
  }
}

/** Few, because each may come with an off-chain document of megabytes. */
const COLLECTIONS_PER_READ = 8;
