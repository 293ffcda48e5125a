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
