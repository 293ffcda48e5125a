// Validates input of callers. Every error names the property.

import { decodeAddress } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

/** An address in any form that libraries use: base58 text, 32 bytes, a wallet or asset of this chain, a `PublicKey`. */
export type AddressLike =
  | string
  | Uint8Array
  | { readonly address: string }
  | { readonly toBytes: () => Uint8Array };

const ADDRESS_BYTES = 32;

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const invalid = (property: string, reason: string): LamplightError =>
  new LamplightError("CHAIN__INVALID_INPUT", { property, reason });

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const readAddress = (value: AddressLike, property: string): AddressBytes => {
  const given: unknown = value;
  if (given instanceof Uint8Array) {
    if (given.length === ADDRESS_BYTES) return given;
    throw invalid(property, `must have 32 bytes, and has ${given.length}`);
  }
  if (typeof given === "string") return parseAddress(given, property);
  if (typeof given === "object" && given !== null) {
    if ("address" in given) return readAddress(given.address as AddressLike, property);
    if ("toBytes" in given && typeof given.toBytes === "function")
      return readAddress(given.toBytes() as Uint8Array, property);
  }
  throw invalid(property, "must be an address: base58 text, 32 bytes, a wallet or an asset");
};

const parseAddress = (text: string, property: string): AddressBytes => {
  try {
    return decodeAddress(text);
  } catch {
    throw invalid(property, `must be an address, and is ${JSON.stringify(text.slice(0, 64))}`);
  }
};

const U64_END = 2n ** 64n;

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const readU64 = (value: bigint | number, property: string): bigint => {
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (isWhole && value >= 0 && BigInt(value) < U64_END) return BigInt(value);
  throw invalid(property, `must be a whole number from 0 to 2^64 - 1, and is ${String(value)}`);
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` */
export const readWhole = (value: number, property: string, from: number, to: number): number => {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return value;
  throw invalid(property, `must be a whole number from ${from} to ${to}, and is ${String(value)}`);
};

/** @throws LamplightError `CHAIN__INVALID_INPUT` where the text takes more bytes than the program stores */
export const readText = (value: string, property: string, bytesMax: number): string => {
  if (typeof value !== "string") throw invalid(property, "must be text");
  const bytes = Buffer.byteLength(value);
  if (bytes <= bytesMax) return value;
  throw invalid(property, `must have at most ${bytesMax} bytes, and has ${bytes}`);
};
