import { damaged } from "./archive-fault.ts";
import { zeros } from "./tar-header.ts";
import type { EntryConsumer, Steps } from "./entry-consumer.ts";

/** The content of a sparse entry. Its gaps may be much larger than the stored bytes. */
export interface SparseConsumer {
  write(bytes: Buffer): Steps;
  end(): Steps;
}

/** The place of stored bytes in a sparse entry. */
export interface SparsePiece {
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes of a gap written in one step, which takes some milliseconds. */
const STEP_BYTES = 16 * 1024 * 1024;

/** Writes zeros where nothing is stored. */
export const expandSparse = (
  consumer: EntryConsumer,
  pieces: readonly SparsePiece[],
  size: number,
): SparseConsumer => {
  let at = 0;
  let piece = 0;
  let inPiece = 0;
  let filled = 0;
  const fill = function* (until: number): Steps {
    if (until < at || until > size) throw damaged("the pieces of a sparse entry lie outside it");
    while (at < until) {
      const bytes = Math.min(zeros.length, until - at);
      consumer.write(zeros.subarray(0, bytes));
      at += bytes;
      filled += bytes;
      if (filled < STEP_BYTES) continue;
      filled = 0;
      yield;
    }
  };
  return {
    *write(bytes) {
      let from = 0;
      while (from < bytes.length) {
        const current = pieces[piece] as SparsePiece;
        if (inPiece === 0) yield* fill(current.offset);
        const count = Math.min(current.bytes - inPiece, bytes.length - from);
        consumer.write(bytes.subarray(from, from + count));
        from += count;
        at += count;
        inPiece += count;
        if (inPiece < current.bytes) continue;
        piece += 1;
        inPiece = 0;
      }
    },
    *end() {
      yield* fill(size);
      consumer.end();
    },
  };
};
