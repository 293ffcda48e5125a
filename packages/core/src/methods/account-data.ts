import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Account as WireAccount, AccountData, EncodedData } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import { sliceData } from "../encoding/slice-data.ts";
import { type JsonText, storedJson } from "../json/json-text.ts";
import { objectWriter, plainText } from "../json/object-writer.ts";
import { writeJson } from "../json/write-json.ts";
import { compress, type Steps } from "./steps.ts";

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
export function* encodeAccountData(
  data: Uint8Array,
  encoding: BinaryEncoding,
  slice: DataSlice | null,
): Steps<JsonText<EncodedData | string>> {
  if (encoding !== "base64+zstd") return encodeOwnData(data, encoding, slice);
  return (yield* encodeCompressed([data], slice))[0]!;
}

/** This encodes several as `base64+zstd`, in their order. */
export function* encodeCompressed(
  data: readonly Uint8Array[],
  slice: DataSlice | null,
): Steps<readonly JsonText<EncodedData>[]> {
  const frames = yield* compress(slice === null ? data : data.map((one) => sliceData(one, slice)));
  return frames.map((frame) => shapeEncoded(frame, "base64+zstd"));
}

/** The same where nothing is compressed: at once. */
export const encodeOwnData = (
  data: Uint8Array,
  encoding: Exclude<BinaryEncoding, "base64+zstd">,
  slice: DataSlice | null,
): JsonText<EncodedData | string> => {
  const bytes = slice === null ? data : sliceData(data, slice);
  switch (encoding) {
    case "binary":
      return plainText(encodeBounded(bytes));
    case "base58":
      return shapeEncoded(encodeBounded(bytes), encoding);
    case "base64":
      return shapeEncoded(toBase64(bytes), encoding);
    default:
      return encoding satisfies never;
  }
};

const writeAccount = objectWriter<WireAccount>()(
  "data",
  "executable",
  "lamports",
  "owner",
  "rentEpoch",
  "space",
);

/** The account object of spec §2.5 around finished `data`, in Agave's member order. */
export const shapeAccount = (
  account: Account,
  owner: JsonText<string>,
  data: JsonText<AccountData>,
): JsonText<WireAccount> =>
  writeAccount(
    data,
    account.executable,
    account.lamports,
    owner,
    account.rentEpoch === RENT_EXEMPT_EPOCH ? RENT_EXEMPT_TEXT : account.rentEpoch,
    account.data.length,
  );

/** Base58 of owner programs, for as long as a store hands out the same bytes: there are few of them. */
const programTexts = new WeakMap<AddressBytes, JsonText<string>>();

export const programText = (program: AddressBytes): JsonText<string> => {
  const known = programTexts.get(program);
  if (known !== undefined) return known;
  const text = plainText(encodeAddress(program));
  programTexts.set(program, text);
  return text;
};

/**
 * The rent epoch of nearly every account; turning a big integer into digits costs as much as a good part of the rest.
 */
const RENT_EXEMPT_EPOCH = 2n ** 64n - 1n;
const RENT_EXEMPT_TEXT = writeJson<number | bigint>(RENT_EXEMPT_EPOCH);

/** Base58 and base64 need no escaping. */
const shapeEncoded = (text: string, encoding: BinaryEncoding): JsonText<EncodedData> =>
  storedJson(`["${text}","${encoding}"]`);

const encodeBounded = (bytes: Uint8Array): string => {
  if (bytes.length > BASE58_BYTES_MAX) throw new LamplightError("ACCOUNT__BASE58_TOO_LARGE", {});
  return encodeBase58(bytes);
};

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
