import { createHash } from "node:crypto";

/** Text that stands for bytes in a `Map`; one character per byte. */
export const mapKeyOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

export const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

/** Rows by the bytes of their first column. */
export const byKey = <Row extends readonly unknown[]>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [mapKeyOf(row[0] as Uint8Array), row]));

/** Hash by which a URI is found, because it may be longer than an index takes. */
export const uriKey = (uri: string): Uint8Array => createHash("sha256").update(uri).digest();
