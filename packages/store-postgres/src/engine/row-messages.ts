import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import type { Connection } from "pg";

// The driver makes text of every field as if it were UTF-8. Its other messages are left to it.

const rowDescription = "T".charCodeAt(0);
const dataRow = "D".charCodeAt(0);
/** A letter, and a length that counts itself, come before the body of a message. */
const KIND_BYTES = 1;
const HEADER_BYTES = KIND_BYTES + 4;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const ABSENT = -1;

/** Lets a connection that is not open yet read rows in binary, too, and without copies. */
export const readRowsAsBytes = (connection: Connection): void => {
  const attachOwn = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream: Duplex) => {
    const others = new EventEmitter();
    attachOwn(others);
    let readers: readonly FieldReader[] = [];
    const splitter = new MessageSplitter((bytes, from, to) => {
      if (stream.destroyed) return;
      const kind = bytes[from];
      if (kind === dataRow) {
        const fields = readRow(readers, bytes, from + HEADER_BYTES, to);
        if (fields === null)
          stream.destroy(new Error("Connection broken: a row differs from its description"));
        else connection.emit("dataRow", { fields });
        return;
      }
      if (kind === rowDescription) readers = fieldReaders(readFormats(bytes, from + HEADER_BYTES));
      others.emit("data", bytes.subarray(from, to));
    });
    stream.on("data", (chunk: Buffer) => splitter.add(chunk));
  };
};

/** Null where the message does not consist of exactly these fields: then nothing after it can be trusted. */
const readRow = (
  readers: readonly FieldReader[],
  bytes: Buffer,
  from: number,
  end: number,
): unknown[] | null => {
  let at = from + COUNT_BYTES;
  if (at > end || bytes.readUInt16BE(from) !== readers.length) return null;
  const fields: unknown[] = [];
  for (const read of readers) {
    if (at + LENGTH_BYTES > end) return null;
    const length = bytes.readInt32BE(at);
    at += LENGTH_BYTES;
    if (length < ABSENT || at + length > end) return null;
    fields.push(length === ABSENT ? null : read(bytes, at, length));
    if (length !== ABSENT) at += length;
  }
  return at === end ? fields : null;
};

/** One field of a row, from its place on. */
type FieldReader = (bytes: Buffer, at: number, length: number) => unknown;

/** The description of a column, which the server sends before the rows. */
interface FieldFormat {
  /** Number of its type in the server's catalogue. */
  readonly type: number;
  readonly isBinary: boolean;
}

/** Offset of the type behind a column's name: its table and its place there come first. */
const TYPE_AT = 6;
/** Offset of the format from the type on: width and modifier come before it. */
const FORMAT_AT = 10;
const BINARY_FORMAT = 1;
const COLUMN_BYTES = TYPE_AT + FORMAT_AT + 2;

/** Reads the columns that the body of a row description names. */
const readFormats = (bytes: Buffer, from: number): readonly FieldFormat[] => {
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
const fieldReaders = (formats: readonly FieldFormat[]): readonly FieldReader[] =>
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

/** Called for each message from its letter on, up to `to`; what it keeps of `bytes` are views. */
type OnMessage = (bytes: Buffer, from: number, to: number) => void;

/** Cuts what comes along a connection into messages. A message in many pieces is joined once. */
export class MessageSplitter {
  readonly #onMessage: OnMessage;
  /** The beginning of a message, in pieces. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Bytes that are needed before anything can be read. */
  #needed = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  add(piece: Buffer): void {
    if (this.#pieces.length === 0) {
      this.#split(piece);
      return;
    }
    const missing = this.#needed - this.#bytes;
    // While the length is not known yet, everything is joined; else only the message.
    const joins = this.#needed === HEADER_BYTES ? piece.length : Math.min(missing, piece.length);
    this.#pieces.push(piece.subarray(0, joins));
    this.#bytes += joins;
    if (this.#bytes < this.#needed) return;
    const joined = Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [];
    this.#split(joined);
    if (joins < piece.length) this.#split(piece.subarray(joins));
  }

  #split(bytes: Buffer): void {
    let at = 0;
    this.#needed = HEADER_BYTES;
    while (bytes.length - at >= HEADER_BYTES) {
      this.#needed = KIND_BYTES + bytes.readUInt32BE(at + KIND_BYTES);
      if (bytes.length - at < this.#needed) break;
      this.#onMessage(bytes, at, at + this.#needed);
      at += this.#needed;
      this.#needed = HEADER_BYTES;
    }
    this.#bytes = bytes.length - at;
    if (this.#bytes === 0) return;
    this.#pieces = [at === 0 ? bytes : bytes.subarray(at)];
  }
}
