import { ByteWriter } from "./byte-writer.ts";

/** A durable nonce, 80 bytes. */
export const encodeNonce = (authority: Uint8Array, blockhash: Uint8Array): Uint8Array =>
  new ByteWriter().u32(1).u32(1).bytes(authority).bytes(blockhash).u64(5000).finish();
