import { ENTRY_NAME_BYTES_MAX } from "../snapshot-limits.ts";
import { damaged, refused } from "./archive-fault.ts";

/** A PAX header records these facts about the next entry. */
export interface PaxHeader {
  readonly path: string | null;
  readonly size: number | null;
}

const newline = "\n".charCodeAt(0);

/**
 * Reads the records of a PAX header, `LENGTH KEY=VALUE\n` one after the other. Tools that repack archives add times,
 * owners and attributes, which are ignored.
 *
 * @throws ArchiveFault where they are broken, or say that the content is not stored as it is
 */
export const parsePaxHeader = (bytes: Buffer): PaxHeader => {
  let path: string | null = null;
  let size: number | null = null;
  for (let at = 0; at < bytes.length;) {
    const { key, value, end } = recordAt(bytes, at);
    if (key.startsWith("GNU.sparse."))
      throw refused("it has a sparse entry in the PAX form, which is not read; pack it without --sparse");
    if (key === "path") path = value;
    if (key === "path" && value.length > ENTRY_NAME_BYTES_MAX)
      throw refused(`it has a name of ${value.length} bytes`);
    if (key === "size") size = sizeOf(value);
    at = end;
  }
  return { path, size };
};

const recordAt = (
  bytes: Buffer,
  at: number,
): { readonly key: string; readonly value: string; readonly end: number } => {
  const digits = /^(\d{1,7}) /.exec(bytes.toString("latin1", at, at + 8))?.[1];
  const end = at + Number(digits ?? 0);
  const text = bytes.toString("latin1", at + (digits?.length ?? 0) + 1, end - 1);
  const equals = text.indexOf("=");
  if (digits === undefined || end > bytes.length || bytes[end - 1] !== newline || equals < 1)
    throw damaged("a record of a PAX header does not match its length");
  return { key: text.slice(0, equals), value: text.slice(equals + 1), end };
};

const sizeOf = (text: string): number => {
  const size = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (!Number.isSafeInteger(size) || size < 0)
    throw damaged(`a PAX header has the size ${JSON.stringify(text.slice(0, 32))}`);
  return size;
};
