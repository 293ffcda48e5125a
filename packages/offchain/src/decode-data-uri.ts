export interface DataUriBody {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

const base64Text = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The body of a `data:` URI, base64 or percent-encoded; null when it is malformed. */
export const decodeDataUri = (uri: string): DataUriBody | null => {
  const comma = uri.indexOf(",");
  if (comma < 0) return null;
  const parameters = uri.slice("data:".length, comma).split(";");
  const mime = (parameters[0] ?? "").trim().toLowerCase();
  const encoded = uri.slice(comma + 1);
  if (parameters.at(-1)?.trim().toLowerCase() !== "base64") {
    const bytes = unescapePercent(encoded);
    return bytes === null ? null : { mime, bytes };
  }
  const text = unescapePercent(encoded)?.toString("latin1").replaceAll(/\s/g, "");
  return text !== undefined && base64Text.test(text) ? { mime, bytes: Buffer.from(text, "base64") } : null;
};

/** Raw characters stand for their UTF-8; null for a `%` without two digits. */
const unescapePercent = (text: string): Buffer | null => {
  const parts = text.split("%");
  const chunks: Buffer[] = [Buffer.from(parts[0] ?? "")];
  for (const part of parts.slice(1)) {
    if (!/^[0-9a-f]{2}/i.test(part)) return null;
    chunks.push(Buffer.from([Number.parseInt(part.slice(0, 2), 16)]), Buffer.from(part.slice(2)));
  }
  return Buffer.concat(chunks);
};
