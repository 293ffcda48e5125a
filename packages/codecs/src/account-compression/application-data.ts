import { BorshReader } from "../borsh/borsh-reader.ts";

const applicationDataTag = 1;
const applicationDataVersion = 0;

/** The bytes a program publishes through the noop program beside the change logs, or null when the payload is no such event. */
export const findApplicationData = (data: Uint8Array): Uint8Array | null => {
  if (data[0] !== applicationDataTag || data[1] !== applicationDataVersion) return null;
  try {
    const reader = new BorshReader("application data", data, 2);
    const published = reader.bytes(reader.u32());
    reader.end();
    return published;
  } catch {
    return null;
  }
};
