import { damaged } from "./archive-fault.ts";

/** Reads a stream of chunks by counts of bytes. */
export class ChunkReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Bytes read so far. */
  position = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Waits for the next byte if necessary. */
  async isAtEnd(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) return true;
      this.#chunk = next.value;
      this.#at = 0;
    }
    return false;
  }

  /** Exactly `count` bytes, valid until the next call. The count must be small. */
  async take(count: number): Promise<Buffer> {
    const inChunk = this.#chunk.subarray(this.#at, this.#at + count);
    if (inChunk.length === count) {
      this.#advance(count);
      return inChunk;
    }
    const parts: Buffer[] = [];
    for await (const piece of this.pieces(count)) parts.push(piece);
    return Buffer.concat(parts);
  }

  /** Exactly `count` bytes, in chunks as they arrive. */
  async *pieces(count: number): AsyncGenerator<Buffer> {
    let missing = count;
    while (missing > 0) {
      if (await this.isAtEnd())
        throw damaged(`it ends after ${this.position} compressed bytes, in the middle`);
      const piece = this.#chunk.subarray(this.#at, this.#at + missing);
      this.#advance(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async skip(count: number): Promise<void> {
    for await (const piece of this.pieces(count)) void piece;
  }

  #advance(count: number): void {
    this.#at += count;
    this.position += count;
  }
}
