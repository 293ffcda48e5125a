import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** A value as COPY takes it; null = NULL. */
export type CopyValue = string | number | bigint | boolean | Uint8Array | null;

/** Appends rows to a table of PostgreSQL. */
export const copyRows = async <Column extends string>(
  client: Client,
  table: string,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CopyValue>>[],
): Promise<void> => {
  const lines = rows.map((row) => `${columns.map((column) => csvText(row[column])).join(",")}\n`);
  const copy = client.query(copyFrom(`COPY ${table} (${columns.join(", ")}) FROM STDIN WITH (FORMAT csv)`));
  await pipeline(Readable.from(lines), copy);
};

/** Nothing at all is NULL; `""` is empty text. */
const csvText = (value: CopyValue): string => {
  if (value === null) return "";
  const text =
    value instanceof Uint8Array ? String.raw`\x${Buffer.from(value).toString("hex")}` : String(value);
  return `"${text.replaceAll('"', '""')}"`;
};
