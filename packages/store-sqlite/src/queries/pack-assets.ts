import { inheritsStart, type Ordinal, PACK_SEPARATOR, type PackedAssets } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";

/**
 * A page as one row, with a line for each document: a line break is in none. The extras of assets that inherit are
 * lines that begin with the place of the asset.
 */
export const packAssetsSql = `SELECT count(*),
CAST(group_concat(CASE WHEN octet_length(document) <= ?2 AND (extras IS NULL OR octet_length(extras) <= ?2)
THEN document ELSE '' END, char(10)) AS BLOB),
group_concat(asked.key || extras, char(10)) FILTER (WHERE extras IS NOT NULL
AND extras > '${inheritsStart}' AND extras < '${inheritsStart}~' AND octet_length(extras) <= ?2 AND octet_length(document) <= ?2)
FROM json_each(?1) AS asked CROSS JOIN asset_document ON asset_document.ord = asked.value`;

export const preparePackAssets = (
  connection: Connection,
): ((ordinals: readonly Ordinal[], bytesMax: number) => PackedAssets) => {
  const pack = connection.prepareSmall(packAssetsSql);
  const findContent = connection.prepare("SELECT 1 FROM offchain LIMIT 1");
  return (ordinals, bytesMax) => {
    if (ordinals.length === 0)
      return { bytes: Buffer.alloc(0), sizes: [], inheriting: new Map(), mayHaveContents: false };
    const [count, documents, extras] = pack.get(`[${ordinals.join(",")}]`, bytesMax)!;
    if (count !== ordinals.length) throw missing(connection, ordinals.length, count as number);
    const { buffer, byteOffset, byteLength } = documents as Uint8Array<ArrayBuffer>;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return {
      bytes,
      sizes: separate(bytes, ordinals.length),
      inheriting: inheritingOf(extras as string | null),
      mayHaveContents: findContent.get() !== undefined,
    };
  };
};

const LINE_BREAK = 10;
const separator = PACK_SEPARATOR.charCodeAt(0);

/** Replaces line breaks by separators; answers the size of each line. */
const separate = (bytes: Buffer, lines: number): readonly number[] => {
  const sizes: number[] = [];
  let start = 0;
  while (sizes.length < lines - 1) {
    const end = bytes.indexOf(LINE_BREAK, start);
    bytes[end] = separator;
    sizes.push(end - start);
    start = end + 1;
  }
  sizes.push(bytes.length - start);
  return sizes;
};

/** Each line is a place and the extras there. */
const inheritingOf = (lines: string | null): PackedAssets["inheriting"] =>
  new Map(
    (lines ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const start = line.indexOf("{");
        return [Number(line.slice(0, start)), line.slice(start)];
      }),
  );

const missing = ({ file }: Connection, asked: number, found: number): LamplightError =>
  new LamplightError("STORE__CORRUPT", {
    store: file,
    reason: `${asked} assets were asked for by ordinal and ${found} exist`,
  });
