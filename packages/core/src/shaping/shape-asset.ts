import { decodeAddress } from "@lamplight/codecs";
import type { MaybePromise } from "../domain/address.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { type JsonObject, parseVerbatim } from "../json/parse-verbatim.ts";
import { writeJson } from "../json/write-json.ts";
import type { AssetReader } from "../ports/asset-reader.ts";
import { type DisplayOptions, isPlain } from "./display-options.ts";

/**
 * The public document of an asset with what the display options add. Without any, the stored text itself: no parsing.
 * Documents of collections are read through `assets` and kept in `collections` for the rest of the answer.
 */
export const shapeAsset = (
  asset: StoredAsset,
  options: DisplayOptions,
  assets: AssetReader,
  collections: CollectionMetadataCache = new Map(),
): MaybePromise<string> =>
  isPlain(options) ? asset.document : shapeWithOptions(asset, options, assets, collections);

const shapeWithOptions = async (
  asset: StoredAsset,
  options: DisplayOptions,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<string> => {
  const document = parseVerbatim(asset.document);
  const extras = asset.extras === null ? {} : parseVerbatim(asset.extras);
  if (options.showUnverifiedCollections) document["grouping"] = groupsWithVerified(document, extras);
  if (options.showCollectionMetadata)
    document["grouping"] = await withCollectionMetadata(groupsOf(document), assets, collections);
  if (options.showFungible && extras["token_info"] !== undefined)
    document["token_info"] = extras["token_info"];
  if (options.showInscription && extras["inscription"] !== undefined)
    document["inscription"] = extras["inscription"];
  return writeJson(document);
};

/** Metadata of collections by base58 id; null = the collection is unknown. */
export type CollectionMetadataCache = Map<string, JsonObject>;

const groupsOf = (document: JsonObject): JsonObject[] => (document["grouping"] ?? []) as JsonObject[];

/** Every group with its flag: the extras hold them when any is unverified, else all shown ones are verified. */
const groupsWithVerified = (document: JsonObject, extras: JsonObject): JsonObject[] =>
  (extras["grouping"] as JsonObject[] | undefined) ??
  groupsOf(document).map((group) => ({ ...group, verified: true }));

const withCollectionMetadata = async (
  groups: readonly JsonObject[],
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonObject[]> => {
  const shown: JsonObject[] = [];
  for (const group of groups) {
    if (group["group_key"] !== "collection") shown.push(group);
    else {
      const metadata = await readCollectionMetadata(String(group["group_value"]), assets, collections);
      shown.push({ ...group, collection_metadata: metadata });
    }
  }
  return shown;
};

/** The collection's own name, symbol, image, description and link; what is unknown is an empty string. */
const readCollectionMetadata = async (
  id: string,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonObject> => {
  const known = collections.get(id);
  if (known !== undefined) return known;
  const collection = await assets.findAsset(decodeAddress(id));
  const content =
    collection === null ? {} : ((parseVerbatim(collection.document)["content"] ?? {}) as JsonObject);
  const metadata = (content["metadata"] ?? {}) as JsonObject;
  const links = (content["links"] ?? {}) as JsonObject;
  const shown: JsonObject = {
    name: metadata["name"] ?? "",
    symbol: metadata["symbol"] ?? "",
    image: links["image"] ?? "",
    description: metadata["description"] ?? "",
    external_url: links["external_url"] ?? "",
  };
  collections.set(id, shown);
  return shown;
};
