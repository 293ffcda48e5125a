import { OUTPUT_CHUNK_BYTES } from "../snapshot-limits.ts";
import { damaged } from "./archive-fault.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { xxHash32, XxHash32 } from "./xx-hash-32.ts";

const FRAME_MAGIC = 0x184d2204;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** Largest distance of a match, across blocks where these are linked. */
const HISTORY_BYTES = 65_536;

interface FrameFlags {
  readonly linked: boolean;
  readonly blockChecksums: boolean;
  readonly contentChecksum: boolean;
  readonly blockBytesMax: number;
}

/**
 * Decompresses an LZ4 file of any number of frames, checking every checksum it carries.
 *
 * @throws ArchiveFault for anything that is no LZ4, and for a cut
 */
export async function* decompressLz4(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = new ChunkReader(compressed);
  while (!(await input.isAtEnd())) {
    const magic = (await input.take(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      await input.skip((await input.take(4)).readUInt32LE(0));
    } else if (magic === FRAME_MAGIC) {
      yield* decompressFrame(input, await readFlags(input));
    } else {
      throw damaged(`byte ${input.position - 4} begins no LZ4 frame`);
    }
  }
}

const readFlags = async (input: ChunkReader): Promise<FrameFlags> => {
  const start = Buffer.from(await input.take(2));
  const [flags, block] = [start.readUInt8(0), start.readUInt8(1)];
  if (flags >> 6 !== 1) throw damaged("the LZ4 frame has a version that does not exist");
  if ((flags & 1) !== 0) throw damaged("the LZ4 frame needs a dictionary");
  const sizeCode = (block >> 4) & 7;
  if (sizeCode < 4) throw damaged("the LZ4 frame has a block size that does not exist");
  const rest = (flags & 8) !== 0 ? Buffer.from(await input.take(8)) : Buffer.alloc(0);
  const checksum = (await input.take(1)).readUInt8(0);
  if (checksum !== ((xxHash32(Buffer.concat([start, rest])) >>> 8) & 0xff)) {
    throw damaged("the checksum of the LZ4 frame header does not match");
  }
  return {
    linked: (flags & 0x20) === 0,
    blockChecksums: (flags & 0x10) !== 0,
    contentChecksum: (flags & 4) !== 0,
    blockBytesMax: 1 << (8 + 2 * sizeCode),
  };
};

async function* decompressFrame(input: ChunkReader, flags: FrameFlags): AsyncGenerator<Buffer> {
  const content = new XxHash32();
  let window = Buffer.alloc(HISTORY_BYTES + Math.max(flags.blockBytesMax, OUTPUT_CHUNK_BYTES));
  let end = 0;
  let sent = 0;
  for (;;) {
    const word = (await input.take(4)).readUInt32LE(0);
    if (word === 0) break;
    const size = word & 0x7fffffff;
    if (size > flags.blockBytesMax) throw damaged("an LZ4 block is larger than its frame allows");
    const block = Buffer.from(await input.take(size));
    if (flags.blockChecksums && (await input.take(4)).readUInt32LE(0) !== xxHash32(block)) {
      throw damaged("the checksum of an LZ4 block does not match");
    }
    if (end + flags.blockBytesMax > window.length) {
      // The caller may still read the last chunk. The next blocks get new memory, with the history before them.
      const next = Buffer.alloc(window.length);
      const kept = flags.linked ? Math.min(HISTORY_BYTES, end) : 0;
      window.copy(next, 0, end - kept, end);
      if (end > sent) yield window.subarray(sent, end);
      window = next;
      end = kept;
      sent = kept;
    }
    const start = end;
    end =
      word >>> 31 === 1
        ? start + block.copy(window, start)
        : decodeBlock(block, window, start, start + flags.blockBytesMax, flags.linked ? 0 : start);
    if (flags.contentChecksum) content.update(window.subarray(start, end));
  }
  if (end > sent) yield window.subarray(sent, end);
  if (flags.contentChecksum && (await input.take(4)).readUInt32LE(0) !== content.digest()) {
    throw damaged("the checksum of the LZ4 content does not match");
  }
}

/** Decodes one block into `out` from `to` on; matches may reach back to `floor`. Returns the end. */
const decodeBlock = (block: Buffer, out: Buffer, start: number, limit: number, floor: number): number => {
  let from = 0;
  let to = start;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    for (;;) {
      const byte = block[from++];
      if (byte === undefined) throw damaged("an LZ4 block ends in a length");
      length += byte;
      if (byte < 255) return length;
    }
  };
  while (from < block.length) {
    const token = block[from++] as number;
    const literals = lengthFrom(token >> 4);
    if (from + literals > block.length || to + literals > limit)
      throw damaged("an LZ4 block holds too many literals");
    block.copy(out, to, from, from + literals);
    from += literals;
    to += literals;
    if (from === block.length) return to;
    if (from + 2 > block.length) throw damaged("an LZ4 block ends in an offset");
    const offset = block.readUInt16LE(from);
    from += 2;
    const match = lengthFrom(token & 15) + 4;
    if (offset === 0 || to - offset < floor) throw damaged("an LZ4 match reaches before the beginning");
    if (to + match > limit) throw damaged("an LZ4 block is longer than its frame allows");
    if (offset >= match) out.copyWithin(to, to - offset, to - offset + match);
    else for (let at = to; at < to + match; at += 1) out[at] = out[at - offset] as number;
    to += match;
  }
  return to;
};
