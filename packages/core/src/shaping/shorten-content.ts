// Assets in pages: one off-chain document of megabytes may stand behind every item.

import type { AssetContent, AssetFile, AssetLinks, AssetMetadata } from "@lamplight/contract";
import { type AddedMetadata, isTruncated, splitParts, truncatedParts } from "../content/content-parts.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { endOfValue, type MemberTexts, memberTexts, objectText } from "../json/member-texts.ts";
import { listJson } from "../json/object-writer.ts";
import { documentMembers } from "./asset-extras.ts";

/** Bytes of an off-chain document in one item of a page. */
export const ITEM_DOCUMENT_BYTES_MAX = 64 << 10;

/**
 * The document of an asset with at most `bytesMax` of `content` from its off-chain document, and `truncated: true`
 * where something was left out: links and description come first, then files and attributes from the front. The members
 * that the chain records stay. Works on the text, so that every number keeps its digits and a long document costs one
 * pass.
 */
export const shortenContent = (document: string, bytesMax = ITEM_DOCUMENT_BYTES_MAX): string => {
  const members = documentMembers({ document });
  const content = members.get("content");
  if (content === undefined || Buffer.byteLength(content) <= bytesMax) return document;
  members.set("content", shortened(content, bytesMax));
  return objectText(members);
};

/** The same of what an off-chain document adds, before it is joined: for all assets that name it. */
export const shortenParts = (parts: string, bytesMax = ITEM_DOCUMENT_BYTES_MAX): string => {
  if (Buffer.byteLength(parts) <= bytesMax) return parts;
  const whole = splitParts(parts);
  const metadata = memberTexts(whole.metadata);
  const links = memberTexts(whole.links);
  const files = cut({ files: whole.files, metadata, links }, bytesMax);
  return truncatedParts({ files, metadata: objectText(metadata), links: objectText(links) });
};

const shortened = (content: JsonText<AssetContent>, bytesMax: number): JsonText<AssetContent> => {
  const members = memberTexts(content);
  const metadata = memberTexts(members.get("metadata") ?? storedJson<AssetMetadata>("{}"));
  const links = memberTexts(members.get("links") ?? storedJson<AssetLinks>("{}"));
  const files = cut({ files: members.get("files") ?? listJson<AssetFile>([]), metadata, links }, bytesMax);
  members.set("files", files);
  members.set("metadata", objectText(metadata));
  members.set("links", objectText(links));
  members.set("truncated", isTruncated);
  return objectText(members);
};

interface LongParts {
  readonly files: JsonText<AssetFile[]>;
  readonly metadata: Pick<MemberTexts<AddedMetadata>, "delete" | "get" | "set">;
  readonly links: MemberTexts<AssetLinks>;
}

/** Removes links, description and attributes that are too long together. Returns the files that remain. */
const cut = ({ files, metadata, links }: LongParts, bytesMax: number): JsonText<AssetFile[]> => {
  const fits = fitsWithin(bytesMax);
  for (const [name, link] of links) if (!fits(link)) links.delete(name);
  const description = metadata.get("description");
  if (description !== undefined && !fits(description)) metadata.delete("description");
  const shownFiles = listStart(files, fits);
  const attributes = metadata.get("attributes");
  if (attributes !== undefined) metadata.set("attributes", listStart(attributes, fits));
  return shownFiles;
};

type Fits = (text: string) => boolean;

/** Counts texts as long as they fit into so many bytes together. */
export const fitsWithin = (bytesMax: number): Fits => {
  let left = bytesMax;
  return (text) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
};

/** The items of a list from the front, as long as they fit. */
export const listStart = <List>(list: JsonText<List>, fits: Fits): JsonText<List> => {
  let end = 1;
  for (let at = 1; list[at] !== "]";) {
    const itemEnd = endOfValue(list, at);
    // The comma belongs to the item.
    if (!fits(list.slice(end, itemEnd))) break;
    end = itemEnd;
    at = list[itemEnd] === "," ? itemEnd + 1 : itemEnd;
  }
  return storedJson(`${list.slice(0, end)}]`);
};
