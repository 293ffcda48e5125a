import { encodeBase58 } from "@lamplight/codecs";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { MaybePromise } from "../domain/address.ts";
import { encodeZstd } from "../encoding/zstd.ts";
import { sliceData } from "../encoding/slice-data.ts";

export type BinaryEncoding = "binary" | "base58" | "base64" | "base64+zstd";
export interface DataSlice {
  readonly offset: number | bigint;
  readonly length: number | bigint;
}

/** Agave encodes base58 up to and including this size; its cost grows with the square. */
const BASE58_BYTES_MAX = 128;

/**
 * The `data` member in a binary encoding, as JSON text.
 *
 * @throws LamplightError `ACCOUNT__BASE58_TOO_LARGE` over 128 bytes after slicing
 */
export const encodeAccountData = (
  data: Uint8Array,
  encoding: BinaryEncoding,
  slice: DataSlice | null,
): MaybePromise<string> => {
  const bytes = slice === null ? data : sliceData(data, slice);
  switch (encoding) {
    case "binary":
      return `"${encodeBounded(bytes)}"`;
    case "base58":
      return `["${encodeBounded(bytes)}","base58"]`;
    case "base64":
      return `["${toBase64(bytes)}","base64"]`;
    case "base64+zstd": {
      const frame = encodeZstd(bytes);
      return frame instanceof Promise ? frame.then(shapeZstd) : shapeZstd(frame);
    }
    default:
      return encoding satisfies never;
  }
};

/** The account object of spec §2.5 around finished `data` text, in Agave's member order. */
export const shapeAccount = (account: Account, ownerText: string, dataText: string): string =>
  `{"data":${dataText},"executable":${account.executable},"lamports":${account.lamports},"owner":"${ownerText}",` +
  `"rentEpoch":${account.rentEpoch === RENT_EXEMPT_EPOCH ? RENT_EXEMPT_TEXT : account.rentEpoch},"space":${account.data.length}}`;

/** What nearly every account has; turning a big integer into digits costs as much as a good part of the rest. */
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;
const RENT_EXEMPT_TEXT = RENT_EXEMPT_EPOCH.toString();

const shapeZstd = (frame: string): string => `["${frame}","base64+zstd"]`;

const encodeBounded = (bytes: Uint8Array): string => {
  if (bytes.length > BASE58_BYTES_MAX) throw new LamplightError("ACCOUNT__BASE58_TOO_LARGE", {});
  return encodeBase58(bytes);
};

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
