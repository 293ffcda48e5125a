import { decodeAddress } from "@lamplight/codecs";

export const addressOrNull = (text: string | null | undefined): Uint8Array | null =>
  text === null || text === undefined ? null : decodeAddress(text);
