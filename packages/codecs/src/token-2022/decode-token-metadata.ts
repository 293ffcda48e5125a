import { ByteCursor } from "../bytes/byte-cursor.ts";
import { findExtensionValue } from "./walk-extensions.ts";

/** Metadata that a mint carries itself. Text is as stored, NUL characters included. */
export interface TokenMetadataExtension {
  /** Null = no one can change it. */
  readonly updateAuthority: Uint8Array | null;
  /** As stored; only the mint's own address makes it authoritative. */
  readonly mint: Uint8Array;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly additionalMetadata: readonly (readonly [name: string, value: string])[];
}

/** Two empty strings. */
const PAIR_BYTES_MIN = 8;

/** The metadata in a mint's extension region; null when there is none, it is cut short or its text is not UTF-8. */
export const findTokenMetadata = (region: Uint8Array): TokenMetadataExtension | null => {
  const value = findExtensionValue(region, "tokenMetadata", "mint");
  return value === null ? null : decodeTokenMetadata(value);
};

/** Bytes after the last pair are ignored. */
export const decodeTokenMetadata = (value: Uint8Array): TokenMetadataExtension | null => {
  const cursor = new ByteCursor(value);
  const updateAuthority = cursor.key();
  const mint = cursor.key();
  const [name, symbol, uri] = [text(cursor), text(cursor), text(cursor)];
  const pairs = cursor.u32();
  const additionalMetadata: [string, string][] = [];
  if (!cursor.hasItems(pairs, PAIR_BYTES_MIN)) return null;
  for (let pair = 0; pair < pairs && !cursor.failed; pair += 1)
    additionalMetadata.push([text(cursor), text(cursor)]);
  if (cursor.failed) return null;
  const authority = updateAuthority.some((byte) => byte !== 0) ? updateAuthority : null;
  return { updateAuthority: authority, mint, name, symbol, uri, additionalMetadata };
};

const text = (cursor: ByteCursor): string => cursor.text(cursor.u32());
