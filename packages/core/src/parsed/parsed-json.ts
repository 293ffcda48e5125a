import { encodeAddress } from "@lamplight/codecs";
import type { JsonValue } from "../json/json-text.ts";

/** The `parsed` member: type and content, null for a record whose data is not of its program's making. */
export type ParsedJson = { readonly info?: JsonValue; readonly type: string } | null;

/** Address text of a key, null for none. */
export const addressOrNull = (key: Uint8Array | null): string | null =>
  key === null ? null : encodeAddress(key);

/** Address text of a key; `undefined` for none, which leaves the member out. */
export const addressOrAbsent = (key: Uint8Array | null): string | undefined =>
  key === null ? undefined : encodeAddress(key);

/** Standard base64 with padding. */
export const base64Text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
