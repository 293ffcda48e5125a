import { constants, zstdCompressSync } from "node:zlib";

/** Uncompressed bytes of a frame, as validators from 4.3 on write them. */
const FRAME_BYTES_DEFAULT = 32 * 1024 * 1024;

/** Frames of zstd back to back, each compressed by itself as validators from 4.3 on write archives. */
export const writeFrames = (bytes: Buffer, frameBytes: number = FRAME_BYTES_DEFAULT): Buffer => {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += frameBytes) {
    const frame = bytes.subarray(at, at + frameBytes);
    const params = { [constants.ZSTD_c_compressionLevel]: 1 };
    frames.push(zstdCompressSync(frame, { params }));
  }
  return Buffer.concat(frames);
};
