// Token Metadata's records about rights: who may use, verify, hold or lock. No asset is made of them alone.

import { ByteCursor } from "../bytes/byte-cursor.ts";
import { metadataAccountKeys } from "./account-keys.ts";

export const tokenRecordStates = ["unlocked", "locked", "listed"] as const;
export type TokenRecordState = (typeof tokenRecordStates)[number];

/** By their code on chain; 255 is `migration`. */
export const tokenDelegateRoles = [
  "sale",
  "transfer",
  "utility",
  "staking",
  "standard",
  "lockedTransfer",
] as const;
export type TokenDelegateRole = (typeof tokenDelegateRoles)[number] | "migration";

/** The lock and delegate of a programmable NFT's token account. */
export interface TokenRecord {
  readonly kind: "tokenRecord";
  readonly bump: number;
  readonly state: TokenRecordState;
  readonly ruleSetRevision: bigint | null;
  readonly delegate: Uint8Array | null;
  readonly delegateRole: TokenDelegateRole | null;
  readonly lockedTransfer: Uint8Array | null;
}

export interface CollectionAuthorityRecord {
  readonly kind: "collectionAuthorityRecord";
  readonly bump: number;
  readonly updateAuthority: Uint8Array | null;
}

export interface UseAuthorityRecord {
  readonly kind: "useAuthorityRecord";
  readonly allowedUses: bigint;
  readonly bump: number;
}

/** A delegate of a metadata account (`metadataDelegate`) or of a holder (`holderDelegate`). */
export interface DelegateRecord {
  readonly kind: "metadataDelegate" | "holderDelegate";
  readonly bump: number;
  readonly mint: Uint8Array;
  readonly delegate: Uint8Array;
  readonly updateAuthority: Uint8Array;
}

export interface TokenOwnedEscrow {
  readonly kind: "tokenOwnedEscrow";
  readonly baseToken: Uint8Array;
  /** Null = the token's owner; else the creator that made it. */
  readonly creator: Uint8Array | null;
  readonly bump: number;
}

export type MetadataRecord =
  | TokenRecord
  | CollectionAuthorityRecord
  | UseAuthorityRecord
  | DelegateRecord
  | TokenOwnedEscrow;

/** A record about rights; null for any other account, and when it does not decode. Keys are views. */
export const decodeMetadataRecord = (data: Uint8Array): MetadataRecord | null => {
  const cursor = new ByteCursor(data, 1);
  const record = readRecord(data[0], cursor);
  return cursor.failed ? null : record;
};

const readRecord = (key: number | undefined, cursor: ByteCursor): MetadataRecord | null => {
  switch (key) {
    case metadataAccountKeys.tokenRecord:
      return readTokenRecord(cursor);
    case metadataAccountKeys.collectionAuthorityRecord:
      return { kind: "collectionAuthorityRecord", bump: cursor.u8(), updateAuthority: optionalKey(cursor) };
    case metadataAccountKeys.useAuthorityRecord:
      return { kind: "useAuthorityRecord", allowedUses: cursor.u64(), bump: cursor.u8() };
    case metadataAccountKeys.metadataDelegate:
      return readDelegate(cursor, "metadataDelegate");
    case metadataAccountKeys.holderDelegate:
      return readDelegate(cursor, "holderDelegate");
    case metadataAccountKeys.tokenOwnedEscrow:
      return {
        kind: "tokenOwnedEscrow",
        baseToken: cursor.key(),
        creator: optionalKey(cursor),
        bump: cursor.u8(),
      };
    default:
      return null;
  }
};

const readTokenRecord = (cursor: ByteCursor): TokenRecord => ({
  kind: "tokenRecord",
  bump: cursor.u8(),
  state: named(cursor, tokenRecordStates),
  ruleSetRevision: cursor.option((from) => from.u64()),
  delegate: optionalKey(cursor),
  delegateRole: cursor.option(readRole),
  // The last member came later: accounts of 47 bytes end before it.
  lockedTransfer: cursor.remaining === 0 ? null : optionalKey(cursor),
});

const readDelegate = (cursor: ByteCursor, kind: DelegateRecord["kind"]): DelegateRecord => ({
  kind,
  bump: cursor.u8(),
  mint: cursor.key(),
  delegate: cursor.key(),
  updateAuthority: cursor.key(),
});

const migrationRole = 255;

const readRole = (cursor: ByteCursor): TokenDelegateRole => {
  const code = cursor.u8();
  if (code === migrationRole) return "migration";
  const role = tokenDelegateRoles[code];
  if (role === undefined) cursor.failed = true;
  return role ?? "migration";
};

const named = <T>(cursor: ByteCursor, names: readonly [T, ...T[]]): T => {
  const name = names[cursor.u8()];
  if (name === undefined) cursor.failed = true;
  return name ?? names[0];
};

const optionalKey = (cursor: ByteCursor): Uint8Array | null => cursor.option((from) => from.key());
