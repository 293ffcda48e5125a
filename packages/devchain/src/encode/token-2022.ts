import { extensionLayouts, type FixedExtensionName } from "@lamplight/codecs";
import { ByteWriter } from "./byte-writer.ts";
import { encodeExtensionValue, type ExtensionFields } from "./extension.ts";
import { encodeMint, encodeTokenAccount, type MintFields, type TokenAccountFields } from "./token.ts";

interface TransferFee {
  readonly epoch: number;
  readonly maximum: bigint;
  readonly basisPoints: number;
}

/** The extensions the simulated chain uses; a `null` key is stored as zeros. */
export type Extension =
  | {
      readonly kind: "transferFeeConfig";
      readonly configAuthority: Uint8Array | null;
      readonly withdrawAuthority: Uint8Array | null;
      readonly withheld: bigint;
      readonly older: TransferFee;
      readonly newer: TransferFee;
    }
  | { readonly kind: "transferFeeAmount"; readonly withheld: bigint }
  | { readonly kind: "immutableOwner" }
  | { readonly kind: "permanentDelegate"; readonly delegate: Uint8Array }
  | {
      readonly kind: "interestBearing";
      readonly authority: Uint8Array | null;
      readonly initialized: bigint;
      readonly averageRate: number;
      readonly lastUpdate: bigint;
      readonly currentRate: number;
    }
  | {
      readonly kind: "metadataPointer";
      readonly authority: Uint8Array | null;
      readonly metadata: Uint8Array | null;
    }
  | {
      readonly kind: "tokenMetadata";
      readonly updateAuthority: Uint8Array | null;
      readonly mint: Uint8Array;
      readonly name: string;
      readonly symbol: string;
      readonly uri: string;
      readonly additional: readonly (readonly [string, string])[];
    };

/** Where the account type stands; the region between a mint's 82 bytes and it is zero. */
const ACCOUNT_TYPE_OFFSET = 165;

/** A mint with extensions; without any it has the 82 bytes of the classic program. */
export const encodeMint2022 = (mint: MintFields, extensions: readonly Extension[]): Uint8Array =>
  withExtensions(encodeMint(mint), 1, extensions);

/** A token account with extensions; without any it has the 165 bytes of the classic program. */
export const encodeTokenAccount2022 = (
  account: TokenAccountFields,
  extensions: readonly Extension[],
): Uint8Array => withExtensions(encodeTokenAccount(account), 2, extensions);

const withExtensions = (
  base: Uint8Array,
  accountType: number,
  extensions: readonly Extension[],
): Uint8Array => withValues(base, accountType, extensions.map(encodeExtension));

/** Any extension by the name of its layout, or the metadata that a mint carries itself. */
export type ExtensionEntry =
  | { readonly name: FixedExtensionName; readonly fields: ExtensionFields }
  | {
      readonly name: "tokenMetadata";
      readonly updateAuthority: Uint8Array | null;
      readonly mint: Uint8Array;
      readonly texts: { readonly name: string; readonly symbol: string; readonly uri: string };
      readonly additional: readonly (readonly [string, string])[];
    };

export const encodeMintWith = (mint: MintFields, extensions: readonly ExtensionEntry[]): Uint8Array =>
  withValues(encodeMint(mint), 1, extensions.map(encodeEntry));

export const encodeTokenAccountWith = (
  account: TokenAccountFields,
  extensions: readonly ExtensionEntry[],
): Uint8Array => withValues(encodeTokenAccount(account), 2, extensions.map(encodeEntry));

const encodeEntry = (entry: ExtensionEntry): ExtensionValue =>
  entry.name === "tokenMetadata"
    ? encodeExtension({ kind: "tokenMetadata", ...entry, ...entry.texts })
    : { type: extensionLayouts[entry.name].type, value: encodeExtensionValue(entry.name, entry.fields) };

interface ExtensionValue {
  readonly type: number;
  readonly value: Uint8Array;
}

const withValues = (base: Uint8Array, accountType: number, values: readonly ExtensionValue[]): Uint8Array => {
  if (values.length === 0) return base;
  const writer = new ByteWriter(512)
    .bytes(base)
    .zeros(ACCOUNT_TYPE_OFFSET - base.length)
    .u8(accountType);
  for (const { type, value } of values) writer.u16(type).u16(value.length).bytes(value);
  return writer.finish();
};

const encodeExtension = (extension: Extension): ExtensionValue => {
  const writer = new ByteWriter();
  switch (extension.kind) {
    case "transferFeeConfig": {
      writer.nonZeroKey(extension.configAuthority).nonZeroKey(extension.withdrawAuthority);
      writer.u64(extension.withheld);
      for (const fee of [extension.older, extension.newer]) {
        writer.u64(fee.epoch).u64(fee.maximum).u16(fee.basisPoints);
      }
      return { type: 1, value: writer.finish() };
    }
    case "transferFeeAmount":
      return { type: 2, value: writer.u64(extension.withheld).finish() };
    case "immutableOwner":
      return { type: 7, value: writer.finish() };
    case "interestBearing":
      writer.nonZeroKey(extension.authority).i64(extension.initialized).i16(extension.averageRate);
      return { type: 10, value: writer.i64(extension.lastUpdate).i16(extension.currentRate).finish() };
    case "permanentDelegate":
      return { type: 12, value: writer.bytes(extension.delegate).finish() };
    case "metadataPointer":
      return {
        type: 18,
        value: writer.nonZeroKey(extension.authority).nonZeroKey(extension.metadata).finish(),
      };
    case "tokenMetadata": {
      writer.nonZeroKey(extension.updateAuthority).bytes(extension.mint);
      writer.text(extension.name).text(extension.symbol).text(extension.uri);
      writer.u32(extension.additional.length);
      for (const [key, value] of extension.additional) writer.text(key).text(value);
      return { type: 19, value: writer.finish() };
    }
    default:
      return extension satisfies never;
  }
};
