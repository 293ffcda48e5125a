import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { brokenInvariant } from "@lamplight/errors";
import { type Connection, Query } from "pg";

// The driver makes text of every field as if it were UTF-8. Its other messages are left to it.

const dataRow = "D".charCodeAt(0);
/** A letter, and a length that counts itself, come before the body of a message. */
const KIND_BYTES = 1;
const HEADER_BYTES = KIND_BYTES + 4;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const ABSENT = -1;

/** The value of a field of a row, from its place on. */
type FieldReader = (bytes: Buffer, at: number, length: number) => unknown;

const asText: FieldReader = (bytes, at, length) => bytes.toString("utf8", at, at + length);
/** All of a chunk stays in memory with one view. */
const asView: FieldReader = (bytes, at, length) => bytes.subarray(at, at + length);
const asBytesView = ({ buffer, byteOffset }: Buffer, at: number, length: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + at, length);
/** The array has a buffer of its own, so that keeping it keeps nothing else alive. */
const asBytes: FieldReader = (bytes, at, length) => asBytesView(bytes, at, length).slice();

const ARRAY_HEADER_BYTES = 20;
/** A length, and the number, of which the upper half is zero. */
const ORDINAL_BYTES = LENGTH_BYTES + 8;

/** A list of ordinals: dimensions, flags, type, length and a bound come first. */
const asOrdinals: FieldReader = (bytes, at, length) => {
  const ordinals = new Uint32Array(Math.max(0, Math.trunc((length - ARRAY_HEADER_BYTES) / ORDINAL_BYTES)));
  for (const index of ordinals.keys())
    ordinals[index] = bytes.readUInt32BE(at + ARRAY_HEADER_BYTES + index * ORDINAL_BYTES + 8);
  return ordinals;
};

/**
 * Readers by the number of a type in the server's catalogue. Every `bigint` column is a bigint, as everything that can
 * pass 2^53 lies in one.
 */
const valueReaders: ReadonlyMap<number, FieldReader> = new Map<number, FieldReader>([
  [16, (bytes, at) => bytes[at] === 1],
  [17, asBytes],
  [19, asText],
  [20, (bytes, at) => bytes.readBigInt64BE(at)],
  [21, (bytes, at) => bytes.readInt16BE(at)],
  [23, (bytes, at) => bytes.readInt32BE(at)],
  [25, asText],
  [1016, asOrdinals],
  // This is the type of functions that answer nothing.
  [2278, () => null],
]);

const viewReaders: ReadonlyMap<number, FieldReader> = new Map([
  ...valueReaders,
  [17, asBytesView],
  [25, asView],
]);

/** The server answers statements without parameters in text. */
const textReaders: ReadonlyMap<number, FieldReader> = new Map<number, FieldReader>([
  [16, (bytes, at) => bytes[at] === "t".charCodeAt(0)],
  [20, (bytes, at, length) => BigInt(bytes.toString("latin1", at, at + length))],
  [21, (bytes, at, length) => Number(bytes.toString("latin1", at, at + length))],
  [23, (bytes, at, length) => Number(bytes.toString("latin1", at, at + length))],
]);

/** How a statement gives its fields: as values, as views of bytes and texts, or as the texts that the server writes. */
export type FieldForm = "texts" | "values" | "views";

interface Column {
  /** Number of its type in the server's catalogue. */
  readonly dataTypeID: number;
  readonly format: string;
}

const readerOf = ({ dataTypeID, format }: Column, form: FieldForm): FieldReader => {
  if (form === "texts") return asText;
  if (format !== "binary") return textReaders.get(dataTypeID) ?? asText;
  const reader = (form === "views" ? viewReaders : valueReaders).get(dataTypeID);
  if (reader === undefined) throw brokenInvariant(`nothing reads columns of type ${dataTypeID}`);
  return reader;
};

/**
 * Readers of the columns of prepared statements, by their names. The server does not change the columns of one: it
 * fails it instead.
 */
type KnownColumns = { readonly [Form in FieldForm]: Map<string, readonly FieldReader[]> };

export const noKnownColumns = (): KnownColumns => ({ values: new Map(), views: new Map(), texts: new Map() });

/** A value that a statement binds. */
export type Value = Uint8Array | string | number | bigint | boolean | null;

export interface AskedQuery {
  readonly text: string;
  /** The name under which the session keeps it prepared; null = it does not. */
  readonly name?: string | null;
  /** Absent: it binds nothing, and may be several statements. */
  readonly values?: readonly Value[];
  readonly form?: FieldForm;
}

/** All statements of a session share it. */
export interface QuerySession {
  readonly columns: KnownColumns;
  /** Called where a row differs from its description: nothing after it can be read. */
  readonly onBroken: () => void;
}

/** A part of a connection's message: a row, from its number of fields on. */
interface RowMessage {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/**
 * One message to the server, and the rows of its answer. The driver's own query copies what it is asked, and has the
 * server describe the columns of a prepared statement each time.
 */
export class RowQuery extends Query {
  /** Rows of each statement that has ended. */
  readonly results: unknown[][][] = [];
  readonly #session: QuerySession;
  readonly #form: FieldForm;
  #readers: readonly FieldReader[] = [];
  #rows: unknown[][] = [];
  #ended = "";
  #fault: unknown = null;

  constructor({ text, name = null, values, form = "values" }: AskedQuery, session: QuerySession) {
    super(text);
    this.#session = session;
    this.#form = form;
    if (values === undefined) return;
    this.queryMode = "extended";
    this.name = name ?? undefined;
    this.values = values.map(sentValue);
    this.binary = form !== "texts";
  }

  /** Number of rows that the last statement has changed or found. */
  get rowCount(): number {
    return Number(/\d+$/u.exec(this.#ended)?.[0] ?? 0);
  }

  override prepare(connection: Connection): void {
    const readers = this.#session.columns[this.#form].get(this.name ?? "");
    if (readers === undefined) return super.prepare(connection);
    this.#readers = readers;
    connection.bind({ statement: this.name, values: this.values, binary: this.binary });
    connection.execute(null);
    connection.sync();
  }

  override handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    try {
      this.#readers = fields.map((column) => readerOf(column, this.#form));
      if (this.name !== undefined) this.#session.columns[this.#form].set(this.name, this.#readers);
    } catch (error) {
      this.#fault = error;
    }
  }

  override handleDataRow({ bytes, from, to }: RowMessage): void {
    if (this.#fault !== null) return;
    const fields = findRow(this.#readers, bytes, from, to);
    if (fields === null) this.#session.onBroken();
    else this.#rows.push(fields);
  }

  override handleCommandComplete({ text }: { readonly text: string }): void {
    this.#ended = text;
    this.results.push(this.#rows);
    this.#rows = [];
  }

  override handleReadyForQuery(): void {
    this.callback!(this.#fault);
  }
}

/** The driver sends buffers in binary, and everything else as text. */
const sentValue = (value: Value): Buffer | string | null => {
  if (typeof value === "string" || value === null) return value;
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : String(value);
};

/** Passes the rows of a connection on as they came, without copies. It is called before the connection is open. */
export const passRows = (connection: Connection): void => {
  const attachOwn = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream: Duplex) => {
    const others = new EventEmitter();
    attachOwn(others);
    const splitter = new MessageSplitter((bytes, from, to) => {
      if (stream.destroyed) return;
      if (bytes[from] === dataRow) connection.emit("dataRow", { bytes, from: from + HEADER_BYTES, to });
      else others.emit("data", bytes.subarray(from, to));
    });
    stream.on("data", (chunk: Buffer) => splitter.add(chunk));
  };
};

/** Null where the message does not consist of exactly these fields: then nothing after it can be trusted. */
const findRow = (...[readers, bytes, from, end]: Parameters<typeof readRow>): unknown[] | null => {
  try {
    return readRow(readers, bytes, from, end);
  } catch {
    // A field is shorter than its type, or no text of it.
    return null;
  }
};

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
