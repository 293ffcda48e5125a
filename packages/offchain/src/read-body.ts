// Classifies a fetched body: JSON, media that is its own document, or unusable.

import { createHash } from "node:crypto";
import { type JsonValue, parseForeignJson, writeJson } from "@lamplight/core";
import type { OffchainLimits } from "./offchain-limits.ts";

export type BodyReading =
  | { readonly kind: "json"; readonly json: string; readonly sha256: Uint8Array }
  /** `json` is a document made for media; null for other kinds. */
  | { readonly kind: "notJson"; readonly reason: string; readonly json: string | null };

/** `image/png` from `Image/PNG; charset=x`. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();

/** Media that is its own document, so its body is not read; null for what may be JSON. */
export const readMedia = (url: string, mime: string): BodyReading | null => {
  const member = mime.startsWith("image/")
    ? "image"
    : /^(?:video|audio)\//.test(mime)
      ? "animation_url"
      : null;
  if (member === null) return null;
  const document: JsonValue = { [member]: url, properties: { files: [{ uri: url, type: mime }] } };
  return { kind: "notJson", reason: `the body is ${mime}`, json: writeJson(document) };
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The content type is ignored, because JSON is often sent as text or bytes, and error pages as JSON. */
export const readJsonBody = (bytes: Uint8Array, limits: OffchainLimits): BodyReading => {
  const text = decodeText(bytes);
  if (text === null) return { kind: "notJson", reason: "the body is not UTF-8", json: null };
  const value = parseForeignJson(text, limits.json);
  if (value === undefined)
    return { kind: "notJson", reason: "the body is not JSON, or nested too deep", json: null };
  const sha256 = createHash("sha256").update(bytes).digest();
  return { kind: "json", json: writeJson(value), sha256 };
};

/** The text without a byte order mark; null when the bytes are not UTF-8. */
const decodeText = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};
