import type { Encoded } from "@lamplight/core";

/** Encoded rows with the memory that moves with them to another thread. */
export const packRows = <Rows extends object>(encoded: Rows): Encoded<Rows> => ({
  encoded,
  buffers: [...new Set(buffersOf(encoded))],
});

function* buffersOf(value: object): Generator<ArrayBufferLike> {
  if (ArrayBuffer.isView(value)) yield value.buffer;
  else
    for (const member of Object.values(value) as readonly unknown[])
      if (typeof member === "object" && member !== null) yield* buffersOf(member);
}
