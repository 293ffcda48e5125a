import type { JsonText } from "./json-text.ts";

declare const meaning: unique symbol;

/**
 * Finished JSON of a `Value` of the contract as UTF-8, in pieces: large answers go from the store to the socket without
 * becoming a string.
 */
export class JsonBytes<Value> {
  declare readonly [meaning]: Value;
  readonly pieces: readonly Buffer[];
  /** Bytes of all pieces. */
  readonly length: number;

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** The same between two texts. */
  within<Outer>(before: string, after: string): JsonBytes<Outer> {
    return new JsonBytes([Buffer.from(before), ...this.pieces, Buffer.from(after)]);
  }

  /**
   * Frees the memory of pieces that were sent. Without it, a few large answers grow what the engine counts as external
   * memory so much that it collects the whole heap again and again, which takes longer than the answers.
   */
  free(): void {
    for (const piece of this.pieces) freeBytes(piece);
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }

  toString(): string {
    return this.toBuffer().toString();
  }
}

/**
 * Frees memory that nothing else uses. A buffer that takes half or less of its memory may share it: Node cuts small
 * buffers so.
 */
export const freeBytes = ({ buffer, byteLength }: Buffer): void => {
  if (2 * byteLength > buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
};

/** A finished result, as text or as bytes. */
export type FinishedJson<Value> = JsonText<Value> | JsonBytes<Value>;
