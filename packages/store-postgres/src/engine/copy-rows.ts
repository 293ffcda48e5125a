import { type Element, elementEncoders, type ElementType } from "./array-parameter.ts";

const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;

/** Rows as COPY takes them in binary, each value in the type of its column. */
export interface CopyRows {
  readonly bytes: Uint8Array;
  /** Offset of each row in `bytes`. */
  readonly starts: Float64Array;
}

export const encodeCopyRows = (
  types: readonly ElementType[],
  rows: readonly (readonly Element[])[],
): CopyRows => {
  const encoders = types.map((type) => elementEncoders[type]);
  let total = 0;
  for (const row of rows) {
    total += COUNT_BYTES;
    for (const [index, { sizeOf }] of encoders.entries()) {
      const element = row[index] as Element;
      total += LENGTH_BYTES + (element === null ? 0 : sizeOf(element));
    }
  }
  // Memory of its own, which can be handed to another thread.
  const buffer = Buffer.from(new ArrayBuffer(total));
  const starts = new Float64Array(rows.length);
  let at = 0;
  for (const [index, row] of rows.entries()) {
    starts[index] = at;
    at = buffer.writeInt16BE(types.length, at);
    for (const [column, { sizeOf, write }] of encoders.entries()) {
      const element = row[column] as Element;
      const size = element === null ? -1 : sizeOf(element);
      at = buffer.writeInt32BE(size, at);
      if (element === null) continue;
      write(buffer, element, at);
      at += size;
    }
  }
  return { bytes: buffer, starts };
};
