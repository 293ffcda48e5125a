import { u64FromColumn, u64ToColumn } from "./u64-column.ts";

/** Each engine has a type for what a column holds. Plain text never holds the character 0, which PostgreSQL refuses in text. */
export type ColumnType = "int16" | "int32" | "int64" | "flag" | "bytes" | "text" | "plainText";

/** The forms in which a store keeps booleans and text. */
export interface ColumnForms<Flag, Text> {
  readonly flagTo: (flag: boolean) => Flag;
  readonly flagFrom: (column: unknown) => boolean;
  readonly textTo: (text: string) => Text;
  readonly textFrom: (column: unknown) => string;
}

/** A value as a store keeps it. */
export type Cell<Flag, Text> = Flag | Text | Uint8Array | string | number | bigint | null;

/** A column of both stores, and how it keeps a value. */
export interface Column<Value> {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
  encode<Flag, Text>(value: Value, forms: ColumnForms<Flag, Text>): Cell<Flag, Text>;
  decode<Flag, Text>(cell: unknown, forms: ColumnForms<Flag, Text>): Value;
}

const isNullable = false;

/** A word is kept as its place in a list, to which new words are only appended. */
export const word = <Word extends string>(name: string, list: readonly Word[]): Column<Word> => ({
  name,
  type: "int16",
  isNullable,
  encode: (value) => list.indexOf(value),
  decode: (cell) => list[Number(cell)] as Word,
});

export const flag = (name: string): Column<boolean> => ({
  name,
  type: "flag",
  isNullable,
  encode: (value, { flagTo }) => flagTo(value),
  decode: (cell, { flagFrom }) => flagFrom(cell),
});

export const integer = (name: string, type: "int16" | "int32" | "int64"): Column<number> => ({
  name,
  type,
  isNullable,
  encode: (value) => value,
  decode: Number,
});

/** A hash of 64 bits, signed. */
export const hash64 = (name: string): Column<bigint> => ({
  name,
  type: "int64",
  isNullable,
  encode: (value) => value,
  decode: (cell) => cell as bigint,
});

export const u64 = (name: string): Column<bigint> => ({
  name,
  type: "int64",
  isNullable,
  encode: u64ToColumn,
  decode: (cell) => u64FromColumn(cell as bigint),
});

export const bytes = (name: string): Column<Uint8Array> => ({
  name,
  type: "bytes",
  isNullable,
  encode: (value) => value,
  decode: (cell) => cell as Uint8Array,
});

export const text = (name: string): Column<string> => ({
  name,
  type: "text",
  isNullable,
  encode: (value, { textTo }) => textTo(value),
  decode: (cell, { textFrom }) => textFrom(cell),
});

export const plainText = (name: string): Column<string> => ({
  name,
  type: "plainText",
  isNullable,
  encode: (value) => value,
  decode: (cell) => cell as string,
});

export const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
  encode: (value, forms) => (value === null ? null : column.encode(value, forms)),
  decode: (cell, forms) => (cell === null ? null : column.decode(cell, forms)),
});
