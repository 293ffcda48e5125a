import { u32At } from "../bytes/uint-at.ts";

const APPLICATION_DATA_TAG = 1;
const APPLICATION_DATA_VERSION = 0;
/** Bytes of the tag, the version and the length of the rest. */
const HEAD_BYTES = 6;

/** The bytes a program publishes through the noop program next to the change logs, or null when the payload is no such event. */
export const findApplicationData = (data: Uint8Array): Uint8Array | null => {
  if (data[0] !== APPLICATION_DATA_TAG || data[1] !== APPLICATION_DATA_VERSION) return null;
  if (data.length < HEAD_BYTES || data.length !== HEAD_BYTES + u32At(data, 2)) return null;
  return data.subarray(HEAD_BYTES);
};
