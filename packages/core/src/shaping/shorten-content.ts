// Assets in pages: one off-chain document of megabytes may stand behind every item.

import { splitParts, truncatedParts } from "../content/content-text.ts";
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

/** The same of what an off-chain document adds, before it is joined: for all assets that name it. */
export const shortenParts = (parts: string, bytesMax = ITEM_DOCUMENT_BYTES_MAX): string => {
  if (Buffer.byteLength(parts) <= bytesMax) return parts;
  const { files, metadata, links } = splitParts(parts);
  const members = memberTexts(metadata === "" ? "{}" : `{${metadata.slice(0, -1)}}`);
  const short = cut({ files, metadata: members, links: memberTexts(links) }, bytesMax);
  const shown = objectText(short.metadata).slice(1, -1);
  return truncatedParts({
    files: short.files,
    metadata: shown === "" ? "" : `${shown},`,
    links: objectText(short.links),
  });
};

const shortened = (content: string, bytesMax: number): string => {
  const members = memberTexts(content);
  const { files, metadata, links } = cut(
    {
      files: members.get("files") ?? "[]",
      metadata: memberTexts(members.get("metadata") ?? "{}"),
      links: memberTexts(members.get("links") ?? "{}"),
    },
    bytesMax,
  );
  members.set("files", files);
  members.set("metadata", objectText(metadata));
  members.set("links", objectText(links));
  members.set("truncated", "true");
  return objectText(members);
};

interface LongParts {
  readonly files: string;
  readonly metadata: Map<string, string>;
  readonly links: Map<string, string>;
}

const cut = ({ files, metadata, links }: LongParts, bytesMax: number): LongParts => {
  let left = bytesMax;
  const fits = (text: string): boolean => {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  for (const [name, link] of links) if (!fits(link)) links.delete(name);
  const description = metadata.get("description");
  if (description !== undefined && !fits(description)) metadata.delete("description");
  const shownFiles = listStart(files, fits);
  const attributes = metadata.get("attributes");
  if (attributes !== undefined) metadata.set("attributes", listStart(attributes, fits));
  return { files: shownFiles, metadata, links };
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
