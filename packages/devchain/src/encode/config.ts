import { ByteWriter } from "./byte-writer.ts";

/** A validator's description of itself: two keys, then JSON text. */
export const encodeValidatorInfo = (infoKey: Uint8Array, identity: Uint8Array, json: string): Uint8Array => {
  const text = new TextEncoder().encode(json);
  return new ByteWriter()
    .u8(2)
    .bytes(infoKey)
    .u8(false)
    .bytes(identity)
    .u8(true)
    .u64(text.length)
    .bytes(text)
    .finish();
};
