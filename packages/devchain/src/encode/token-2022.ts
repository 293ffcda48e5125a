import { extensionLayouts, type FixedExtensionName } from "@lamplight/codecs";
import { ByteWriter } from "./byte-writer.ts";
import { encodeExtensionValue, type ExtensionFields } from "./extension.ts";
import { encodeMint, encodeTokenAccount, type MintFields, type TokenAccountFields } from "./token.ts";

/** The offset of the account type. The region between a mint's 82 bytes and it is zero. */
const ACCOUNT_TYPE_OFFSET = 165;
const TOKEN_METADATA_TYPE = 19;

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

/** A mint with extensions; without any it has the 82 bytes of the classic program. */
export const encodeMint2022 = (mint: MintFields, extensions: readonly ExtensionEntry[]): Uint8Array =>
  withExtensions(encodeMint(mint), 1, extensions);

/** A token account with extensions; without any it has the 165 bytes of the classic program. */
export const encodeTokenAccount2022 = (
  account: TokenAccountFields,
  extensions: readonly ExtensionEntry[],
): Uint8Array => withExtensions(encodeTokenAccount(account), 2, extensions);

const withExtensions = (
  base: Uint8Array,
  accountType: number,
  extensions: readonly ExtensionEntry[],
): Uint8Array => {
  if (extensions.length === 0) return base;
  const writer = new ByteWriter()
    .bytes(base)
    .zeros(ACCOUNT_TYPE_OFFSET - base.length)
    .u8(accountType);
  for (const extension of extensions) {
    const isMetadata = extension.name === "tokenMetadata";
    const value = isMetadata
      ? encodeTokenMetadata(extension)
      : encodeExtensionValue(extension.name, extension.fields);
    const type = isMetadata ? TOKEN_METADATA_TYPE : extensionLayouts[extension.name].type;
    writer.u16(type).u16(value.length).bytes(value);
  }
  return writer.finish();
};

const encodeTokenMetadata = (metadata: ExtensionEntry & { readonly name: "tokenMetadata" }): Uint8Array => {
  const { updateAuthority, mint, texts, additional } = metadata;
  const writer = new ByteWriter().nonZeroKey(updateAuthority).bytes(mint);
  writer.text(texts.name).text(texts.symbol).text(texts.uri).u32(additional.length);
  for (const [key, value] of additional) writer.text(key).text(value);
  return writer.finish();
};
