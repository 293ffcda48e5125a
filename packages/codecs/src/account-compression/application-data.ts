import { u32At } from "../bytes/uint-at.ts";

const applicationDataTag = 1;
const applicationDataVersion = 0;
/** Bytes of the tag, the version and the length of the rest. */
const headBytes = 6;

/** The bytes a program publishes through the noop program next to the change logs, or null when the payload is no such event. */
export const findApplicationData = (data: Uint8Array): Uint8Array | null => {
  if (data[0] !== applicationDataTag || data[1] !== applicationDataVersion) return null;
  if (data.length < headBytes || data.length !== headBytes + u32At(data, 2)) return null;
  return data.subarray(headBytes);
};
