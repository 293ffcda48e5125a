import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OUTPUT_CHUNK_BYTES } from "../snapshot-limits.ts";
import { damaged, refused } from "./archive-fault.ts";
import type { Compression } from "./archive-name.ts";
import { decompressLz4 } from "./lz4-frames.ts";
import { decompressZstd } from "./zstd-frames.ts";

export const isReadable = (compression: Compression): boolean => compression !== "bzip2";

/**
 * A chunk is valid until the next one is requested. Callers that keep it must copy it.
 *
 * @throws ArchiveFault where the bytes do not have the format that the name states
 */
export const decompress = (
  compressed: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncIterable<Buffer> => {
  switch (compression) {
    case "zstd":
      return decompressZstd(compressed);
    case "gzip":
      return decompressGzip(compressed);
    case "lz4":
      return decompressLz4(compressed);
    case "none":
      return compressed;
    case "bzip2":
      throw refused("bzip2 is not read; unpack it to a .tar first");
    default:
      return compression satisfies never;
  }
};

async function* decompressGzip(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(compressed, { objectMode: true, highWaterMark: 4 });
  const gunzip = createGunzip({ chunkSize: OUTPUT_CHUNK_BYTES });
  input.on("error", (error) => gunzip.destroy(error));
  input.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw damaged(`gzip cannot be decoded: ${error.message}`);
    throw error;
  } finally {
    input.destroy();
  }
}
