import { rentExemptBit } from "@lamplight/core";
import { DELEGATE_BYTES, type EncodedRows, TAIL_BYTES } from "./encode-rows.ts";
import { intType, valueTypes, writeInt, writeInt64 } from "./pages/record-values.ts";
import { VARINT_BYTES_MAX, writeVarint } from "./pages/varint.ts";

const tailType = valueTypes.blob + 2 * TAIL_BYTES;
const addressType = valueTypes.blob + 2 * (DELEGATE_BYTES / 2);
/** The key is stored as null, because it is the key of the row. */
const COLUMNS = 11;
/** Bytes of everything but the data. */
const FIXED_BYTES_MAX = 1 + COLUMNS + VARINT_BYTES_MAX + TAIL_BYTES + 5 * 8 + DELEGATE_BYTES;

/** Rows with their large numbers as words, the lower one first, and their data as a buffer. */
export interface RowsWithWords extends EncodedRows {
  readonly words: {
    readonly ids: Uint32Array;
    readonly lamports: Uint32Array;
    readonly rentEpochs: Uint32Array;
    readonly data: Buffer;
  };
}

export const withWords = (rows: EncodedRows): RowsWithWords => ({
  ...rows,
  words: {
    ids: wordsOf(rows.ids),
    lamports: wordsOf(rows.lamports),
    rentEpochs: wordsOf(rows.rentEpochs),
    data: Buffer.from(rows.data.buffer, rows.data.byteOffset, rows.data.length),
  },
});

/** Writes rows of `account` as the engine stores them, one at a time, into the same memory. */
export class AccountRecord {
  bytes: Buffer = Buffer.alloc(64 * 1024);

  /** Returns the length of the record. */
  write(rows: RowsWithWords, row: number, program: number): number {
    const start = rows.dataStarts[row] as number;
    const end = rows.dataStarts[row + 1] as number;
    const flags = rows.flags[row] as number;
    const delegate = rows.delegateNumbers[row] as number;
    if (this.bytes.length < FIXED_BYTES_MAX + end - start)
      this.bytes = Buffer.alloc(2 * (FIXED_BYTES_MAX + end - start));
    const out = this.bytes;
    const headerEnd = writeVarint(out, COLUMNS, valueTypes.blob + 2 * (end - start));
    let to = headerEnd;
    out[0] = headerEnd;
    out[1] = valueTypes.null;
    out[2] = tailType;
    const tail = TAIL_BYTES * row;
    for (let index = 0; index < TAIL_BYTES; index += 1) out[to++] = rows.tails[tail + index] as number;
    out[3] = intType(program);
    to = writeInt(out, to, program);
    out[4] = valueTypes.int64;
    to = writeInt64(
      out,
      to,
      rows.words.lamports[2 * row + 1] as number,
      rows.words.lamports[2 * row] as number,
    );
    const slot = rows.slots[row] as number;
    out[5] = intType(slot);
    to = writeInt(out, to, slot);
    const writeVersion = rows.writeVersions[row] as number;
    out[6] = intType(writeVersion);
    to = writeInt(out, to, writeVersion);
    out[7] = intType(flags);
    to = writeInt(out, to, flags);
    const isExempt = (flags & rentExemptBit) !== 0;
    out[8] = isExempt ? valueTypes.null : valueTypes.int64;
    if (!isExempt)
      to = writeInt64(
        out,
        to,
        rows.words.rentEpochs[2 * row + 1] as number,
        rows.words.rentEpochs[2 * row] as number,
      );
    out[9] = delegate < 0 ? valueTypes.null : addressType;
    out[10] = out[9];
    if (delegate >= 0) {
      out.set(rows.delegates.subarray(DELEGATE_BYTES * delegate, DELEGATE_BYTES * (delegate + 1)), to);
      to += DELEGATE_BYTES;
    }
    return to + rows.words.data.copy(out, to, start, end);
  }
}

const wordsOf = ({ buffer, byteOffset, length }: BigInt64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, 2 * length);
