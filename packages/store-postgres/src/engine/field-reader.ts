/** One field of a row, from its place on. */
export type FieldReader = (bytes: Buffer, at: number, length: number) => unknown;

/** The description of a column, which the server sends before the rows. */
interface FieldFormat {
  /** Number of its type in the server's catalogue. */
  readonly type: number;
  readonly isBinary: boolean;
}

const COUNT_BYTES = 2;
/** Offset of the type behind a column's name: its table and its place there come first. */
const TYPE_AT = 6;
/** Offset of the format from the type on: width and modifier come before it. */
const FORMAT_AT = 10;
const BINARY_FORMAT = 1;
const COLUMN_BYTES = TYPE_AT + FORMAT_AT + 2;

/** Reads the columns that the body of a row description names. */
export const readFormats = (bytes: Buffer, from: number): readonly FieldFormat[] => {
  const formats: FieldFormat[] = [];
  const count = bytes.readUInt16BE(from);
  let at = from + COUNT_BYTES;
  while (formats.length < count) {
    at = bytes.indexOf(0, at) + 1;
    const type = bytes.readUInt32BE(at + TYPE_AT);
    formats.push({ type, isBinary: bytes.readInt16BE(at + TYPE_AT + FORMAT_AT) === BINARY_FORMAT });
    at += COLUMN_BYTES;
  }
  return formats;
};

/** Readers of rows with these columns. */
export const fieldReaders = (formats: readonly FieldFormat[]): readonly FieldReader[] =>
  formats.map(({ type, isBinary }) => (isBinary ? (binaryReaders.get(type) ?? viewOf) : readText));

const readText: FieldReader = (bytes, at, length) => bytes.toString("utf8", at, at + length);

/** Fields of other types are left to the parsers of values, as views of the bytes. */
const viewOf: FieldReader = (bytes, at, length) => bytes.subarray(at, at + length);

const binaryReaders = new Map<number, FieldReader>([
  [16, (bytes, at) => bytes[at] === 1],
  [17, ({ buffer, byteOffset }, at, length) => new Uint8Array(buffer, byteOffset + at, length)],
  [20, (bytes, at) => bytes.readBigInt64BE(at)],
  [21, (bytes, at) => bytes.readInt16BE(at)],
  [23, (bytes, at) => bytes.readInt32BE(at)],
]);
