import { decodeAddress } from "@lamplight/codecs";
import type { Asset, AssetLinks, AssetMetadata, CollectionMetadata, Group } from "@lamplight/contract";
import type { MaybePromise } from "../domain/address.ts";
import type { StoredAsset } from "../domain/asset.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { type MemberTexts, memberTexts, objectText } from "../json/member-texts.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import type { AssetReader } from "../ports/asset-reader.ts";
import { type AssetExtras, documentMembers, extrasOf } from "./asset-extras.ts";
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
  const document = documentMembers(asset);
  const extras = extrasOf(asset);
  if (options.showUnverifiedCollections) document.set("grouping", groupsWithVerified(document, extras));
  if (options.showCollectionMetadata)
    document.set("grouping", await withCollectionMetadata(document, assets, collections));
  const tokenInfo = options.showFungible ? extras.get("token_info") : undefined;
  if (tokenInfo !== undefined) document.set("token_info", tokenInfo);
  const inscription = options.showInscription ? extras.get("inscription") : undefined;
  if (inscription !== undefined) document.set("inscription", inscription);
  return objectText(document);
};

/** Metadata of collections by base58 id; also of those that are unknown. */
export type CollectionMetadataCache = Map<string, JsonText<CollectionMetadata>>;

const groupsOf = (document: MemberTexts<Asset>): readonly Group[] =>
  JSON.parse(document.get("grouping") ?? "[]") as Group[];

const writeGroup = objectWriter<Group>()("group_key", "group_value", "verified", "collection_metadata");

const groupText = (
  { group_key, group_value, verified }: Group,
  metadata?: JsonText<CollectionMetadata>,
): JsonText<Group> =>
  writeGroup(writeJson<string>(group_key), writeJson<string>(group_value), verified, metadata);

/** Every group with its flag: the extras hold them when any is unverified, else all shown ones are verified. */
const groupsWithVerified = (
  document: MemberTexts<Asset>,
  extras: MemberTexts<AssetExtras>,
): JsonText<Group[]> =>
  extras.get("grouping") ??
  listJson(groupsOf(document).map((group) => groupText({ ...group, verified: true })));

const withCollectionMetadata = async (
  document: MemberTexts<Asset>,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonText<Group[]>> => {
  const shown: JsonText<Group>[] = [];
  for (const group of groupsOf(document)) {
    const isCollection = group.group_key === "collection";
    const metadata = isCollection
      ? await readCollectionMetadata(group.group_value, assets, collections)
      : undefined;
    shown.push(groupText(group, metadata));
  }
  return listJson(shown);
};

const writeCollectionMetadata = objectWriter<CollectionMetadata>()(
  "name",
  "symbol",
  "image",
  "description",
  "external_url",
);

/** The collection's own name, symbol, image, description and link; what is unknown is an empty string. */
const readCollectionMetadata = async (
  id: string,
  assets: AssetReader,
  collections: CollectionMetadataCache,
): Promise<JsonText<CollectionMetadata>> => {
  const known = collections.get(id);
  if (known !== undefined) return known;
  const own = await assets.findAsset(decodeAddress(id));
  const collection = own === null ? null : await joinAsset(own, assets);
  // A description of megabytes would be repeated in every member of the collection.
  const document = collection === null ? "{}" : shortenContent(collection.document);
  const content = documentMembers({ document }).get("content");
  const members = content === undefined ? undefined : memberTexts(content);
  const metadata = memberTexts(members?.get("metadata") ?? storedJson<AssetMetadata>("{}"));
  const links = memberTexts(members?.get("links") ?? storedJson<AssetLinks>("{}"));
  const unknown = plainText("");
  const shown = writeCollectionMetadata(
    metadata.get("name") ?? unknown,
    metadata.get("symbol") ?? unknown,
    links.get("image") ?? unknown,
    metadata.get("description") ?? unknown,
    links.get("external_url") ?? unknown,
  );
  collections.set(id, shown);
  return shown;
};
