import { EventEmitter } from "node:events";
import type { Connection } from "pg";
import { fieldReaders, type FieldReader, readFormats } from "./field-reader.ts";
import { MessageSplitter } from "./message-splitter.ts";

// The driver makes text of every field as if it were UTF-8. Its other messages are left to it.

const rowDescription = "T".charCodeAt(0);
const dataRow = "D".charCodeAt(0);
/** A letter and a length come before the body of a message. */
const headerBytes = 5;
const countBytes = 2;
const lengthBytes = 4;
const absent = -1;

/** Lets a connection that is not open yet read rows as `field-reader.ts` does: also in binary, and without copies. */
export const readRowsAsBytes = (connection: Connection): void => {
  const attachOwn = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const others = new EventEmitter();
    attachOwn(others);
    let readers: readonly FieldReader[] = [];
    const splitter = new MessageSplitter((bytes, from, to) => {
      const kind = bytes[from];
      if (kind === dataRow) {
        connection.emit("dataRow", { fields: readRow(readers, bytes, from + headerBytes) });
        return;
      }
      if (kind === rowDescription) readers = fieldReaders(readFormats(bytes, from + headerBytes));
      others.emit("data", bytes.subarray(from, to));
    });
    stream.on("data", (chunk: Buffer) => splitter.add(chunk));
  };
};

const readRow = (readers: readonly FieldReader[], bytes: Buffer, from: number): unknown[] => {
  const fields: unknown[] = [];
  let at = from + countBytes;
  for (const read of readers) {
    const length = bytes.readInt32BE(at);
    at += lengthBytes;
    fields.push(length === absent ? null : read(bytes, at, length));
    if (length !== absent) at += length;
  }
  return fields;
};
