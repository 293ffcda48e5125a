import { Readable } from "node:stream";
import { constants, createZstdDecompress } from "node:zlib";
import { FRAME_PIECE_BYTES, OUTPUT_CHUNK_BYTES, zstdWindowLogMax } from "../snapshot-limits.ts";
import { damaged, refused } from "./archive-fault.ts";
import { ChunkReader } from "./chunk-reader.ts";

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;

/**
 * Decompresses a zstd file of any number of frames, skippable ones among them. A chunk is valid until the next is asked
 * for.
 *
 * Node 24 stops silently after the first frame (nodejs/node issue 64741), so frames are separated here, by their
 * block headers, and each gets a decompressor of its own.
 *
 * @throws ArchiveFault for anything that is no zstd, for a cut, and for a frame that needs too much memory
 */
export async function* decompressZstd(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new ChunkReader(compressed);
  while (!(await input.isAtEnd())) {
    const magic = (await input.take(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      await input.skip((await input.take(4)).readUInt32LE(0));
    } else if (magic === FRAME_MAGIC) {
      yield* decompressFrame(joined(framePieces(input)));
    } else {
      throw damaged(`byte ${input.position - 4} begins no zstd frame`);
    }
  }
}

async function* decompressFrame(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const windowLogMax = zstdWindowLogMax();
  const decompressor = createZstdDecompress({
    chunkSize: OUTPUT_CHUNK_BYTES,
    params: { [constants.ZSTD_d_windowLogMax]: windowLogMax },
    // Lets the decompressor work on its own thread while a chunk is parsed here.
    readableHighWaterMark: 4 * OUTPUT_CHUNK_BYTES,
  } as Parameters<typeof createZstdDecompress>[0]);
  const input = Readable.from(pieces, { objectMode: true, highWaterMark: 4 });
  input.on("error", (error) => decompressor.destroy(error));
  input.pipe(decompressor);
  try {
    for await (const chunk of decompressor as AsyncIterable<Buffer>) {
      yield chunk;
      release(chunk);
    }
  } catch (error) {
    if (isEngineError(error) && error.code === "ZSTD_error_frameParameter_windowTooLarge")
      throw refused(
        `decompressing it needs a window of more than ${2 ** windowLogMax} bytes; use a machine with more memory, or set LAMPLIGHT_MEMORY_BYTES`,
      );
    throw isEngineError(error) ? damaged(`the zstd frame cannot be decoded: ${error.message}`) : error;
  } finally {
    input.destroy();
  }
}

/** Releases the memory of a chunk at once. Otherwise the garbage collector runs much more often. */
const release = ({ buffer, byteOffset, length }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && byteOffset + length === buffer.byteLength) buffer.transfer(0);
};

const isEngineError = (error: unknown): error is Error & { readonly code: unknown } =>
  error instanceof Error && "code" in error && /^(ZSTD_|Z_|ERR_)/.test(String(error.code));

/** Joins chunks into larger ones, because each chunk costs a turn of the decompressor's thread. */
async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < FRAME_PIECE_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  yield Buffer.concat(held, bytes);
}

/** The bytes of one frame, starting with its magic number, which was already read. */
async function* framePieces(input: ChunkReader): AsyncGenerator<Buffer> {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(FRAME_MAGIC);
  const descriptor = Buffer.from(await input.take(1));
  yield Buffer.concat([magic, descriptor]);
  const flags = descriptor.readUInt8(0);
  const isSingleSegment = (flags & 0x20) !== 0;
  const sizeFlag = flags >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 2 ** sizeFlag;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  yield Buffer.from(await input.take(Number(!isSingleSegment) + dictionaryBytes + sizeBytes));
  for (;;) {
    const header = Buffer.from(await input.take(3));
    yield header;
    const word = header.readUIntLE(0, 3);
    const type = (word >> 1) & 3;
    if (type === 3) throw damaged("a zstd block has a type that does not exist");
    yield* input.pieces(type === 1 ? 1 : word >> 3);
    if ((word & 1) === 1) break;
  }
  if ((flags & 4) !== 0) yield Buffer.from(await input.take(4));
}
