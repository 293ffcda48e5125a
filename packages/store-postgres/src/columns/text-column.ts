// Text of the chain may hold the character 0, which the server's text type refuses: such columns are UTF-8 in bytea.
// Their order and their comparison are those of the bytes, regardless of the database's locale.

export const textToColumn = (text: string): Uint8Array => Buffer.from(text, "utf8");

export const textFromColumn = (column: unknown): string => {
  const bytes = column as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
};
