// Assets in pages: one off-chain document of megabytes may stand behind every item.

import { endOfValue, memberTexts, objectText } from "../json/member-texts.ts";

/** Bytes of an off-chain document in one item of a page. */
export const ITEM_DOCUMENT_BYTES_MAX = 64 << 10;

/**
 * The document of an asset with at most `bytesMax` of `content` from its off-chain document, and `truncated: true` where
 * something was left out: links and description come first, then files and attributes from the front. What the chain
 * records stays. Works on the text, so that every number keeps its digits and a long document costs one pass.
 */
export const shortenContent = (document: string, bytesMax = ITEM_DOCUMENT_BYTES_MAX): string => {
  const members = memberTexts(document);
  const content = members.get("content");
  if (content === undefined || Buffer.byteLength(content) <= bytesMax) return document;
  members.set("content", shortened(content, bytesMax));
  return objectText(members);
};

const shortened = (content: string, bytesMax: number): string => {
  let left = bytesMax;
  const fits = (text: string): boolean => {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const members = memberTexts(content);
  const metadata = memberTexts(members.get("metadata") ?? "{}");
  const links = memberTexts(members.get("links") ?? "{}");
  for (const [name, link] of links) if (!fits(link)) links.delete(name);
  const description = metadata.get("description");
  if (description !== undefined && !fits(description)) metadata.delete("description");
  members.set("files", listStart(members.get("files") ?? "[]", fits));
  const attributes = metadata.get("attributes");
  if (attributes !== undefined) metadata.set("attributes", listStart(attributes, fits));
  members.set("metadata", objectText(metadata));
  members.set("links", objectText(links));
  members.set("truncated", "true");
  return objectText(members);
};

/** The items of a list from the front, as long as they fit. */
const listStart = (list: string, fits: (text: string) => boolean): string => {
  let end = 1;
  for (let at = 1; list[at] !== "]";) {
    const itemEnd = endOfValue(list, at);
    // The comma belongs to the item.
    if (!fits(list.slice(end, itemEnd))) break;
    end = itemEnd;
    at = list[itemEnd] === "," ? itemEnd + 1 : itemEnd;
  }
  return `${list.slice(0, end)}]`;
};
