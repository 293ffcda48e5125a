import { ByteCursor } from "../bytes/byte-cursor.ts";
import {
  type ExtensionHost,
  extensionLayouts,
  type FieldKind,
  type FixedExtensionName,
} from "./extension-layouts.ts";
import { findExtensionValue } from "./walk-extensions.ts";

export type TokenAccountState = "uninitialized" | "initialized" | "frozen";

export interface TransferFee {
  readonly epoch: bigint;
  readonly maximumFee: bigint;
  /** 0 to 65535. */
  readonly transferFeeBasisPoints: number;
}

interface FieldValues {
  key: Uint8Array;
  optionalKey: Uint8Array | null;
  bytes32: Uint8Array;
  optionalBytes32: Uint8Array | null;
  bytes36: Uint8Array;
  bytes64: Uint8Array;
  bool: boolean;
  i16: number;
  u64: bigint;
  i64: bigint;
  f64: number;
  accountState: TokenAccountState;
  transferFee: TransferFee;
}

type Layouts = typeof extensionLayouts;

/** The decoded fields of an extension, named as in its layout; no members for a marker. Bytes are views. */
export type Extension<Name extends FixedExtensionName> = {
  readonly [Field in keyof Layouts[Name]["fields"]]: Layouts[Name]["fields"][Field] extends FieldKind
    ? FieldValues[Layouts[Name]["fields"][Field]]
    : never;
};

export type InterestBearingConfig = Extension<"interestBearingConfig">;
export type ScaledUiAmountConfig = Extension<"scaledUiAmountConfig">;

const readers: { readonly [Kind in FieldKind]: (cursor: ByteCursor) => FieldValues[Kind] } = {
  key: (cursor) => cursor.key(),
  optionalKey: (cursor) => presentOrNull(cursor.key()),
  bytes32: (cursor) => cursor.bytes(32),
  optionalBytes32: (cursor) => presentOrNull(cursor.bytes(32)),
  bytes36: (cursor) => cursor.bytes(36),
  bytes64: (cursor) => cursor.bytes(64),
  bool: (cursor) => cursor.u8() !== 0,
  i16: (cursor) => cursor.i16(),
  u64: (cursor) => cursor.u64(),
  i64: (cursor) => cursor.i64(),
  f64: (cursor) => cursor.f64(),
  accountState: (cursor) => stateOf(cursor.u8()),
  transferFee: (cursor) => ({
    epoch: cursor.u64(),
    maximumFee: cursor.u64(),
    transferFeeBasisPoints: cursor.u16(),
  }),
};

/**
 * The first extension of that name in the extension region of a `host` record.
 * Null when there is none, when it cannot be reached or when its value has another size than its layout.
 */
export const findExtension = <Name extends FixedExtensionName>(
  region: Uint8Array,
  name: Name,
  host: ExtensionHost,
): Extension<Name> | null => {
  const value = findExtensionValue(region, name, host);
  return value === null ? null : decodeExtension(name, value);
};

/** An extension's fields from its value; null when the value is not exactly as long as the layout. */
export const decodeExtension = <Name extends FixedExtensionName>(
  name: Name,
  value: Uint8Array,
): Extension<Name> | null => {
  const fields: Readonly<Record<string, FieldKind>> | null = extensionLayouts[name].fields;
  const decoded: Record<string, unknown> = {};
  if (fields === null) return decoded as Extension<Name>;
  const cursor = new ByteCursor(value);
  for (const field of Object.keys(fields)) decoded[field] = readers[fields[field] as FieldKind](cursor);
  return cursor.failed || cursor.remaining > 0 ? null : (decoded as Extension<Name>);
};

const presentOrNull = (bytes: Uint8Array): Uint8Array | null => {
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] !== 0) return bytes;
  return null;
};

/** States that no program writes count as uninitialized. */
const stateOf = (byte: number): TokenAccountState =>
  byte === 1 ? "initialized" : byte === 2 ? "frozen" : "uninitialized";
