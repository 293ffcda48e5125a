import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import type { Connection } from "pg";
import { fieldReaders, type FieldReader, readFormats } from "./field-reader.ts";
import { MessageSplitter } from "./message-splitter.ts";

// The driver makes text of every field as if it were UTF-8. Its other messages are left to it.

const rowDescription = "T".charCodeAt(0);
const dataRow = "D".charCodeAt(0);
/** A letter and a length come before the body of a message. */
const HEADER_BYTES = 5;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const ABSENT = -1;

/** Lets a connection that is not open yet read rows as `field-reader.ts` does: also in binary, and without copies. */
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
