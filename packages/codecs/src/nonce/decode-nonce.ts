import { ByteCursor } from "../bytes/byte-cursor.ts";

/** An initialized nonce account. Keys are views into the account's data. */
export interface NonceAccount {
  readonly authority: Uint8Array;
  /** 32 bytes. */
  readonly blockhash: Uint8Array;
  readonly lamportsPerSignature: bigint;
}

const INITIALIZED = 1;

/** A nonce of either version; null for anything else, an uninitialized one included. */
export const decodeNonce = (data: Uint8Array): NonceAccount | null => {
  const cursor = new ByteCursor(data);
  const version = cursor.u32();
  const state = cursor.u32();
  if (version > 1 || state !== INITIALIZED) return null;
  const nonce = {
    authority: cursor.key(),
    blockhash: cursor.bytes(32),
    lamportsPerSignature: cursor.u64(),
  };
  return cursor.failed ? null : nonce;
};
