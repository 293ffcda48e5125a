/** A part of a large body: text, or bytes as they are sent. */
export type Piece = string | Buffer;

/** Larger bodies are sent in slices of so much. A write of 64 MB at once would take a quarter of a second. */
export const SLICE_CHARS = 256 << 10;

/** Answers over this size are put together in pieces, and sent without compression. */
export const LARGE_BODY_CHARS = 4 << 20;

export const lengthOf = (piece: Piece, encoding: BufferEncoding = "utf8"): number =>
  typeof piece === "string" && encoding === "latin1" ? piece.length : Buffer.byteLength(piece);

/** Pieces that together are about one slice. A surrogate pair is not parted: each half alone would be written as another character. */
export function* slicesOf(pieces: readonly Piece[]): Generator<readonly Piece[]> {
  let slice: Piece[] = [];
  let size = 0;
  for (const piece of pieces)
    for (let from = 0, to = 0; from < piece.length; from = to) {
      to = endOf(piece, from + SLICE_CHARS - size);
      slice.push(typeof piece === "string" ? piece.slice(from, to) : piece.subarray(from, to));
      size += to - from;
      if (size < SLICE_CHARS) continue;
      yield slice;
      slice = [];
      size = 0;
    }
  if (size > 0) yield slice;
}

const endOf = (piece: Piece, end: number): number => {
  if (end >= piece.length) return piece.length;
  return typeof piece === "string" && isHighSurrogate(piece.charCodeAt(end - 1)) ? end + 1 : end;
};

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
