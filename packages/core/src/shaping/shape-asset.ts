import type { Asset, AssetLinks, AssetMetadata, CollectionMetadata, Group } from "@lamplight/contract";
import type { StoredAsset } from "../domain/asset.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { type MemberTexts, memberTexts, objectText } from "../json/member-texts.ts";
import { listJson, objectWriter, plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { type AssetExtras, documentMembers, extrasOf } from "./asset-extras.ts";
import { shortenContent } from "./shorten-content.ts";

/** Members that a caller requested in addition to the plain document. */
export interface DisplayOptions {
  readonly showFungible?: boolean | undefined;
  readonly showUnverifiedCollections?: boolean | undefined;
  readonly showCollectionMetadata?: boolean | undefined;
  readonly showInscription?: boolean | undefined;
}

/** Whether the stored document is the answer without any change. */
export const isPlain = (options: DisplayOptions): boolean =>
  !(
    options.showFungible ||
    options.showUnverifiedCollections ||
    options.showCollectionMetadata ||
    options.showInscription
  );

/** The public document of a joined asset while it is made, with what the display options add. */
export class AssetDraft {
  readonly #options: DisplayOptions;
  readonly #document: MemberTexts<Asset>;
  readonly #extras: MemberTexts<AssetExtras>;

  constructor(asset: StoredAsset, options: DisplayOptions) {
    this.#options = options;
    this.#document = documentMembers(asset);
    this.#extras = extrasOf(asset);
    if (options.showUnverifiedCollections)
      this.#document.set("grouping", groupsWithVerified(this.#document, this.#extras));
  }

  /** The collections that it names, base58. */
  collections(): readonly string[] {
    return groupsOf(this.#document)
      .filter(({ group_key }) => group_key === "collection")
      .map(({ group_value }) => group_value);
  }

  /** @param collections - metadata of its collections, if they are to be shown */
  finish(collections: ReadonlyMap<string, JsonText<CollectionMetadata>>): JsonText<Asset> {
    const { showCollectionMetadata, showFungible, showInscription } = this.#options;
    if (showCollectionMetadata)
      this.#document.set("grouping", groupsWithMetadata(this.#document, collections));
    const tokenInfo = showFungible ? this.#extras.get("token_info") : undefined;
    if (tokenInfo !== undefined) this.#document.set("token_info", tokenInfo);
    const inscription = showInscription ? this.#extras.get("inscription") : undefined;
    if (inscription !== undefined) this.#document.set("inscription", inscription);
    return objectText(this.#document);
  }
}

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

const groupsWithMetadata = (
  document: MemberTexts<Asset>,
  collections: ReadonlyMap<string, JsonText<CollectionMetadata>>,
): JsonText<Group[]> =>
  listJson(
    groupsOf(document).map((group) =>
      groupText(group, group.group_key === "collection" ? collections.get(group.group_value) : undefined),
    ),
  );

const writeCollectionMetadata = objectWriter<CollectionMetadata>()(
  "name",
  "symbol",
  "image",
  "description",
  "external_url",
);

/** The collection's own name, symbol, image, description and link; what is unknown is an empty string. */
export const collectionMetadataOf = (collection: StoredAsset | null): JsonText<CollectionMetadata> => {
  // A description of megabytes would be repeated in every member of the collection.
  const document = collection === null ? "{}" : shortenContent(collection.document);
  const content = documentMembers({ document }).get("content");
  const members = content === undefined ? undefined : memberTexts(content);
  const metadata = memberTexts(members?.get("metadata") ?? storedJson<AssetMetadata>("{}"));
  const links = memberTexts(members?.get("links") ?? storedJson<AssetLinks>("{}"));
  const unknown = plainText("");
  return writeCollectionMetadata(
    metadata.get("name") ?? unknown,
    metadata.get("symbol") ?? unknown,
    links.get("image") ?? unknown,
    metadata.get("description") ?? unknown,
    links.get("external_url") ?? unknown,
  );
};
