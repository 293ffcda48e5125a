// Anyone can send an asset to any wallet, and write megabytes of JSON into what the chain records of it.

import type { Asset, AssetContent, AssetMetadata } from "@lamplight/contract";
import { isTruncated } from "../content/content-parts.ts";
import { storedJson } from "../json/json-text.ts";
import { memberTexts, objectText } from "../json/member-texts.ts";
import { plainText } from "../json/object-writer.ts";
import { documentMembers } from "./asset-extras.ts";
import { fitsWithin, ITEM_DOCUMENT_BYTES_MAX, listStart } from "./shorten-content.ts";

/** The members that may be left out, in the order in which they are kept as long as they fit. */
const longMembers = [
  "creators_raw",
  "mint_extensions",
  "plugins",
  "mpl_core_info",
  "external_plugins",
  "unknown_plugins",
  "unknown_external_plugins",
] as const;

/**
 * The document of an asset with at most `bytesMax` of long texts and lists that the chain records of it. A text that
 * does not fit is empty, a list has its first items, another member is left out, and `content` has `truncated: true`.
 */
export const shortenOwn = (document: string, bytesMax = ITEM_DOCUMENT_BYTES_MAX): string => {
  const members = documentMembers({ document });
  const content = memberTexts(members.get("content") ?? storedJson<AssetContent>("{}"));
  const metadata = memberTexts(content.get("metadata") ?? storedJson<AssetMetadata>("{}"));
  const fits = fitsWithin(bytesMax);
  for (const name of ["name", "symbol"] as const)
    if (!fits(metadata.get(name) ?? "")) metadata.set(name, noText);
  if (!fits(content.get("json_uri") ?? "")) content.set("json_uri", noText);
  const creators = members.get("creators");
  if (creators !== undefined) members.set("creators", listStart(creators, fits));
  for (const name of longMembers) {
    const text = members.get(name);
    if (text !== undefined && !fits(text)) members.delete(name);
  }
  content.set("metadata", objectText(metadata));
  content.set("truncated", isTruncated);
  members.set("content", objectText(content));
  return objectText<Asset>(members);
};

const noText = plainText("");
