// The `files` of an asset from its off-chain JSON, in an order that never changes from run to run.

import type { JsonValue } from "../json/json-text.ts";
import { guessMime } from "./guess-mime.ts";
import { isJsonObject, textOf } from "./json-shapes.ts";

export interface ContentFile {
  readonly uri: string;
  readonly mime: string;
}

/** The media type of an image of unknown type; other asset servers answer the same. */
const imageFallback = "image/png";
const fallback = "application/octet-stream";

/**
 * The image first, then the animation, then `properties.files` in document order. A URI appears once, at its first
 * place, with the first media type that any of its entries names, else guessed from its extension.
 */
export const listFiles = (
  document: Readonly<Record<string, JsonValue | undefined>>,
): readonly ContentFile[] => {
  const image = textOf(document["image"]);
  const animation = textOf(document["animation_url"]);
  const mimes = new Map<string, string | null>();
  for (const uri of [image, animation]) if (uri !== null) mimes.set(uri, null);
  for (const { uri, mime } of listEntries(document["properties"])) {
    mimes.set(uri, mimes.get(uri) ?? mime);
  }
  return [...mimes].map(([uri, mime]) => ({
    uri,
    mime: mime ?? guessMime(uri) ?? (uri === image ? imageFallback : fallback),
  }));
};

interface FileEntry {
  readonly uri: string;
  readonly mime: string | null;
}

const listEntries = (properties: JsonValue | undefined): readonly FileEntry[] => {
  const files = isJsonObject(properties) ? properties["files"] : undefined;
  if (!Array.isArray(files)) return [];
  return (files as readonly JsonValue[]).flatMap((entry) => {
    if (!isJsonObject(entry)) {
      const uri = textOf(entry);
      return uri === null ? [] : [{ uri, mime: null }];
    }
    const uri = textOf(entry["uri"]) ?? textOf(entry["url"]);
    return uri === null ? [] : [{ uri, mime: textOf(entry["type"]) }];
  });
};
