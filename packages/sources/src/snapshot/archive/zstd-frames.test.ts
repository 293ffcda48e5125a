import { Readable } from "node:stream";
import { createZstdCompress } from "node:zlib";
import { setUsableMemory } from "@lamplight/core";
import { afterEach, expect, test } from "vitest";
import { decompressZstd } from "./zstd-frames.ts";

const GIB = 1024 ** 3;
const WINDOW_BYTE = 5;

afterEach(() => setUsableMemory(undefined));

/** A frame of a few bytes that asks for a window of 2^`log` bytes. */
const frameWith = async (log: number): Promise<Buffer> => {
  const compressor = createZstdCompress();
  compressor.write("lamplight");
  compressor.end();
  const frame = Buffer.concat((await compressor.toArray()) as Buffer[]);
  frame[WINDOW_BYTE] = (log - 10) << 3;
  return frame;
};

const decompress = async (frame: Buffer): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of decompressZstd(Readable.from([frame]))) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

test.each([
  [256 * 1024 ** 2, 27],
  [GIB, 28],
  [3 * GIB, 29],
])("with %i bytes of memory a frame has a window of at most 2^%i bytes", async (memory, log) => {
  setUsableMemory(String(memory));
  expect(await decompress(await frameWith(log))).toBe("lamplight");
  await expect(decompress(await frameWith(log + 1))).rejects.toMatchObject({
    kind: "refused",
    message: `decompressing it needs a window of more than ${2 ** log} bytes; use a machine with more memory, or set LAMPLIGHT_MEMORY_BYTES`,
  });
});
