import { ByteCursor } from "../bytes/byte-cursor.ts";
import { metadataAccountKeys } from "./account-keys.ts";

/** A parent print account. Its mint is not inside: the address is derived from it. */
export interface MasterEditionAccount {
  readonly kind: "masterEdition";
  readonly version: 1 | 2;
  /** Prints made so far. */
  readonly supply: bigint;
  /** Null = unlimited. */
  readonly maxSupply: bigint | null;
  /** Version 1 only: the mints of printing tokens. */
  readonly printing: { readonly mint: Uint8Array; readonly oneTimeAuthorizationMint: Uint8Array } | null;
}

/** One numbered print. Its mint is not inside: the address is derived from it. */
export interface EditionAccount {
  readonly kind: "edition";
  /** Address of the master edition account, not of its mint. */
  readonly parent: Uint8Array;
  readonly number: bigint;
}

/** Which edition numbers are taken: 248 of them in version 1, all of a master's in version 2. */
export interface EditionMarkerAccount {
  readonly kind: "editionMarker";
  readonly version: 1 | 2;
  readonly bits: Uint8Array;
}

const markerBytes = 31;
/** Edition numbers in one version 1 marker. */
export const editionsPerMarker = 248;

/** Master edition or print, old and new lengths (282/20, 241/42); null for anything else. */
export const decodeEditionAccount = (data: Uint8Array): MasterEditionAccount | EditionAccount | null => {
  const cursor = new ByteCursor(data, 1);
  switch (data[0]) {
    case metadataAccountKeys.edition: {
      const edition = { kind: "edition" as const, parent: cursor.key(), number: cursor.u64() };
      return cursor.failed ? null : edition;
    }
    case metadataAccountKeys.masterEditionV1:
      return readMaster(cursor, 1);
    case metadataAccountKeys.masterEditionV2:
      return readMaster(cursor, 2);
    default:
      return null;
  }
};

const readMaster = (cursor: ByteCursor, version: 1 | 2): MasterEditionAccount | null => {
  const master = {
    kind: "masterEdition" as const,
    version,
    supply: cursor.u64(),
    maxSupply: cursor.option((from) => from.u64()),
    printing: version === 2 ? null : { mint: cursor.key(), oneTimeAuthorizationMint: cursor.key() },
  };
  return cursor.failed ? null : master;
};

/** An edition marker of either version; null for anything else. */
export const decodeEditionMarker = (data: Uint8Array): EditionMarkerAccount | null => {
  const cursor = new ByteCursor(data, 1);
  if (data[0] === metadataAccountKeys.editionMarker) return marker(cursor, 1, markerBytes);
  if (data[0] === metadataAccountKeys.editionMarkerV2) return marker(cursor, 2, cursor.u32());
  return null;
};

const marker = (cursor: ByteCursor, version: 1 | 2, length: number): EditionMarkerAccount | null => {
  const bits = cursor.bytes(length);
  return cursor.failed ? null : { kind: "editionMarker", version, bits };
};

/**
 * Whether an edition number is taken in this marker. Version 1 markers hold the 248 numbers around theirs: the caller
 * picks the marker by `number / 248`.
 */
export const isEditionTaken = (account: EditionMarkerAccount, number: bigint): boolean => {
  const bit = account.version === 1 ? number % BigInt(editionsPerMarker) : number;
  const byte = account.bits[Number(bit / 8n)] ?? 0;
  // The first number of a byte is its highest bit.
  return (byte & (0x80 >> Number(bit % 8n))) !== 0;
};
