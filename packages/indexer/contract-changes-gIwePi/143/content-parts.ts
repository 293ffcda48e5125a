// A store keeps the parts that an off-chain document adds to `content`: finished text in parts, joined when an asset is read.

import type { AssetContent, AssetFile, AssetLinks, AssetMetadata } from "./types.ts";
import { parseForeignJson } from "../../../core/src/json/foreign-json.ts";
import { type JsonText, type JsonValue, storedJson } from "../../../core/src/json/json-text.ts";
import { memberStart } from "../../../core/src/json/member-texts.ts";
import { listJson, objectWriter } from "../../../core/src/json/object-writer.ts";
import { writeJson } from "../../../core/src/json/write-json.ts";
import { isJsonObject, textOf } from "../../../core/src/content/json-shapes.ts";
import { listFiles } from "../../../core/src/content/list-files.ts";

/** Finished JSON has no line breaks. */
export const partEnd = "\n";

/** The value of the member `truncated` where it is there. */
export const isTruncated: JsonText<NonNullable<AssetContent["truncated"]>> = writeJson<boolean>(true);

/** A fourth part: what the others leave out is said at the end of `content`. */
const truncatedPart = `,${memberStart<AssetContent>("truncated")}${isTruncated}`;

/** The members of `metadata` that the chain does not record. */
export type AddedMetadata = Pick<AssetMetadata, "attributes" | "description">;

export interface ContentParts {
  readonly files: JsonText<AssetFile[]>;
  readonly metadata: JsonText<AddedMetadata>;
  readonly links: JsonText<AssetLinks>;
}

const writeFile = objectWriter<AssetFile>()("uri", "mime", "contexts");
const writeMetadata = objectWriter<AddedMetadata>()("attributes", "description");
const writeLinks = objectWriter<AssetLinks>()("image", "animation_url", "external_url");

/**
 * The parts that an off-chain document adds to `content`, as finished text for `joinContent`: files, members of the metadata and
 * links, where they have the expected type. Null for text that is no JSON object within the bounds of foreign JSON.
 */
export const contentParts = (json: string): string | null => {
  const document = parseForeignJson(json);
  if (document === undefined || !isJsonObject(document)) return null;
  const { attributes, description } = document;
  return joinParts({
    files: listJson(
      listFiles(document).map(({ uri, mime }) =>
        writeFile(writeJson<string>(uri), writeJson<string>(mime), undefined),
      ),
    ),
    metadata: writeMetadata(
      shapeAttributes(attributes),
      typeof description === "string" ? writeJson<string>(description) : undefined,
    ),
    links: writeLinks(
      shapeLink(document["image"]),
      shapeLink(document["animation_url"]),
      shapeLink(document["external_url"]),
    ),
  });
};

/** A list of objects, unchanged. */
const shapeAttributes = (attributes: JsonValue | undefined): JsonText<object[]> | undefined =>
  Array.isArray(attributes)
    ? storedJson<object[]>(writeJson((attributes as readonly JsonValue[]).filter(isJsonObject)))
    : undefined;

const shapeLink = (link: JsonValue | undefined): JsonText<string> | undefined => {
  const text = textOf(link);
  return text === null ? undefined : writeJson<string>(text);
};

const joinParts = ({ files, metadata, links }: ContentParts): string =>
  [files, metadata === "{}" ? "" : `${metadata.slice(1, -1)},`, links].join(partEnd);

/** Parts that leave something out. */
export const truncatedParts = (parts: ContentParts): string => joinParts(parts) + partEnd + truncatedPart;

export const splitParts = (parts: string): ContentParts => {
  const [files, metadata, links] = parts.split(partEnd) as [string, string, string];
  return {
    files: storedJson(files),
    metadata: storedJson(metadata === "" ? "{}" : `{${metadata.slice(0, -1)}}`),
    links: storedJson(links),
  };
};
