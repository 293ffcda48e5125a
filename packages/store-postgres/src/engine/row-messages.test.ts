import { PassThrough } from "node:stream";
import { Connection } from "pg";
import { expect, test } from "vitest";
import { noKnownColumns, passRows, RowQuery } from "./row-messages.ts";

const message = (kind: string, body: Buffer): Buffer => {
  const header = Buffer.from(`${kind}....`);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
};

const numbers = (write: "writeInt16BE" | "writeInt32BE", bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer[write](value);
  return buffer;
};
const int16 = (value: number): Buffer => numbers("writeInt16BE", 2, value);
const int32 = (value: number): Buffer => numbers("writeInt32BE", 4, value);

/** Describes columns of these types, in binary. */
const describing = (...types: readonly number[]): Buffer => {
  const columns = types.flatMap((type) =>
    [Buffer.from("a\0"), int32(0), int16(0), int32(type)].concat(int16(-1), int32(-1), int16(1)),
  );
  return message("T", Buffer.concat([int16(types.length), ...columns]));
};
/** Describes two columns of bytes. */
const description = (): Buffer => describing(17, 17);
const rowOf = (...parts: readonly Buffer[]): Buffer => message("D", Buffer.concat(parts));
const [one, absent] = [Buffer.concat([int32(1), Buffer.from([7])]), int32(-1)];
const whole = rowOf(int16(2), one, absent);

/** The rows that came, and why the stream ended. */
const receive = async (...messages: readonly Buffer[]): Promise<{ rows: unknown[]; error: unknown }> => {
  const stream = new PassThrough();
  const connection = new Connection();
  passRows(connection);
  connection.attachListeners(stream);
  const onBroken = (): void => void stream.destroy(new Error("broken"));
  const query = new RowQuery({ text: "", values: [] }, { columns: noKnownColumns(), onBroken });
  // The driver does the same.
  connection.on("rowDescription", (columns: object) => query.handleRowDescription(columns as never));
  connection.on("dataRow", (row: object) => query.handleDataRow(row as never));
  const ended = new Promise((resolve) => {
    stream.once("error", resolve);
    stream.once("end", () => resolve(null));
  });
  stream.end(Buffer.concat(messages));
  const error = await ended;
  query.handleCommandComplete({ text: "" });
  return { rows: query.results[0]!, error };
};

test("rows as they were described are read", async () => {
  const { rows, error } = await receive(description(), whole, rowOf(int16(2), absent, one));
  expect(rows).toEqual([
    [Uint8Array.of(7), null],
    [null, Uint8Array.of(7)],
  ]);
  expect(error).toBeNull();
});

test.each([
  ["has fewer fields", rowOf(int16(1), one)],
  ["has more fields", rowOf(int16(3), one, one, one)],
  ["counts other fields than it has", rowOf(int16(3), one, one)],
  ["has no count", rowOf(Buffer.from([0]))],
  ["has a negative length", rowOf(int16(2), one, int32(-2))],
  ["has a field that is longer than the message", rowOf(int16(2), one, int32(2), Buffer.from([7]))],
  ["has a length that is cut", rowOf(int16(2), one, Buffer.from([0, 0]))],
  ["ends before its last field", rowOf(int16(2), one)],
  ["goes on after its last field", rowOf(int16(2), one, one, Buffer.from([7]))],
])("a row that %s ends the connection, and nothing after it is read", async (_, row) => {
  const { rows, error } = await receive(description(), whole, row, whole);
  expect(rows).toEqual([[Uint8Array.of(7), null]]);
  expect(error).toHaveProperty("message", "broken");
});

test("a field that is shorter than its type ends the connection, and not the process", async () => {
  const { rows, error } = await receive(describing(20), rowOf(int16(1), one));
  expect(rows).toEqual([]);
  expect(error).toHaveProperty("message", "broken");
});
