import { LamplightError } from "@lamplight/errors";
import type { AssetPlace, SortDirection, SortKey } from "./search.ts";

/** Where a walk over assets stands: the sort position of the last asset shown, not the asset, which may be gone. */
export interface AssetCursor extends AssetPlace {
  readonly sort: SortKey;
  readonly direction: SortDirection;
}

// Layout: version, order (sort and direction), position as u64 big-endian, id. 42 bytes make 56 characters without padding.
const CURSOR_VERSION = 1;
const CURSOR_BYTES = 42;
const CURSOR_CHARACTERS = 56;
const sortKeys: readonly SortKey[] = ["id", "created", "updated", "none"];

/** The opaque token of an answer. Every reader of assets writes the same, so that a walk may change readers. */
export const encodeAssetCursor = (cursor: AssetCursor): string => {
  const bytes = new Uint8Array(CURSOR_BYTES);
  bytes[0] = CURSOR_VERSION;
  bytes[1] = orderByte(cursor);
  new DataView(bytes.buffer).setBigUint64(2, BigInt(cursor.position));
  bytes.set(cursor.id, 10);
  return Buffer.from(bytes.buffer).toString("base64url");
};

/**
 * Reads a token back, for a query in that order.
 *
 * @throws {LamplightError} `PARAM__INVALID` when it is not a token of ours, or one of another order
 */
export const decodeAssetCursor = (
  text: string,
  order: { readonly sort: SortKey; readonly direction: SortDirection },
): AssetCursor => {
  const bytes = Buffer.from(text, "base64url");
  const isOurs =
    text.length === CURSOR_CHARACTERS && bytes[0] === CURSOR_VERSION && bytes.toString("base64url") === text;
  if (!isOurs) throw cursorError("is not a cursor of an earlier answer");
  if (bytes[1] !== orderByte(order)) throw cursorError("belongs to a walk in another order");
  const position = Number(bytes.readBigUInt64BE(2));
  if (!Number.isSafeInteger(position)) throw cursorError("is not a cursor of an earlier answer");
  return {
    sort: order.sort,
    direction: order.direction,
    position,
    id: Uint8Array.from(bytes.subarray(10)),
  };
};

const orderByte = (order: { readonly sort: SortKey; readonly direction: SortDirection }): number =>
  sortKeys.indexOf(order.sort) * 2 + (order.direction === "desc" ? 1 : 0);

/** Refusal of a `before` or `after` that names no asset, in the same words from every reader of assets. */
export const unknownStartError = (parameter: "before" | "after"): LamplightError =>
  new LamplightError("PARAM__INVALID", { parameter, position: null, reason: "is not a known asset" });

const cursorError = (reason: string): LamplightError =>
  new LamplightError("PARAM__INVALID", { parameter: "cursor", position: null, reason });
