import { decodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/contract";
import type { MaybePromise } from "../domain/address.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { memberTexts, objectText } from "../json/member-texts.ts";
import { type JsonObject, parseVerbatim } from "../json/parse-verbatim.ts";
import { writeJson } from "../json/write-json.ts";
import type { AssetReader } from "../ports/asset-reader.ts";
import { type DisplayOptions, isPlain } from "./display-options.ts";
import { joinAsset } from "./join-asset.ts";
import { shortenContent } from "./shorten-content.ts";

/**
 * The public document of a joined asset with what the display options add. Without any, its text itself: no parsing.
 * Documents of collections are read through `assets` and kept in `collections` for the rest of the answer.
 */
export const shapeAsset = (
  asset: StoredAsset,
  options: DisplayOptions,
  assets: AssetReader,
  collections: CollectionMetadataCache = new Map(),
): MaybePromise<JsonText<Asset>> =>
  isPlain(options)
    ? storedJson<Asset>(asset.document)
    : shapeWithOptions(asset, options, assets, collections);

const shapeWithOptions = async (
  asset: StoredAsset,
  options: DisplayOptions,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonText<Asset>> => {
  const document = memberTexts(asset.document);
  const extras = memberTexts(asset.extras ?? "{}");
  if (options.showUnverifiedCollections) document.set("grouping", groupsWithVerified(document, extras));
  if (options.showCollectionMetadata)
    document.set("grouping", await withCollectionMetadata(document, assets, collections));
  for (const [name, isShown] of [
    ["token_info", options.showFungible],
    ["inscription", options.showInscription],
  ] as const) {
    const text = extras.get(name);
    if (isShown && text !== undefined) document.set(name, text);
  }
  return storedJson(objectText(document));
};

/** Metadata of collections by base58 id; null = the collection is unknown. */
export type CollectionMetadataCache = Map<string, JsonObject>;

type MemberTexts = ReadonlyMap<string, string>;

const groupsOf = (document: MemberTexts): JsonObject[] =>
  JSON.parse(document.get("grouping") ?? "[]") as JsonObject[];

/** Every group with its flag: the extras hold them when any is unverified, else all shown ones are verified. */
const groupsWithVerified = (document: MemberTexts, extras: MemberTexts): string =>
  extras.get("grouping") ?? writeJson(groupsOf(document).map((group) => ({ ...group, verified: true })));

const withCollectionMetadata = async (
  document: MemberTexts,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<string> => {
  const shown: JsonObject[] = [];
  for (const group of groupsOf(document)) {
    if (group["group_key"] !== "collection") shown.push(group);
    else {
      const metadata = await readCollectionMetadata(String(group["group_value"]), assets, collections);
      shown.push({ ...group, collection_metadata: metadata });
    }
  }
  return writeJson(shown);
};

/** The collection's own name, symbol, image, description and link; what is unknown is an empty string. */
const readCollectionMetadata = async (
  id: string,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonObject> => {
  const known = collections.get(id);
  if (known !== undefined) return known;
  const own = await assets.findAsset(decodeAddress(id));
  const collection = own === null ? null : await joinAsset(own, assets);
  // A description of megabytes would be repeated in every member of the collection.
  const text =
    collection === null ? undefined : memberTexts(shortenContent(collection.document)).get("content");
  const content = parseVerbatim(text ?? "{}");
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
