import type { Ordinal, StoredAsset } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";

/**
 * The ordinals come as one JSON array, so that one statement serves any number of them, in the order asked. The length
 * of a text is in the header of its row: a document that is too large is not read.
 */
export const getAssetsSql = `SELECT CASE WHEN octet_length(document) <= ?2
AND ifnull(octet_length(extras), 0) <= ?2 THEN document END,
CASE WHEN octet_length(extras) <= ?2 THEN extras END FROM json_each(?1) AS asked
CROSS JOIN asset_document ON asset_document.ord = asked.value
ORDER BY asked.key`;

export const prepareGetAssets = (
  connection: Connection,
): ((ordinals: readonly Ordinal[], bytesMax?: number) => readonly (StoredAsset | null)[]) => {
  const statement = connection.prepareSmall(getAssetsSql);
  return (ordinals, bytesMax = Number.MAX_SAFE_INTEGER) => {
    if (ordinals.length === 0) return [];
    const rows = statement.all(JSON.stringify(ordinals), bytesMax);
    if (rows.length !== ordinals.length) {
      throw new LamplightError("STORE__CORRUPT", {
        store: connection.file,
        reason: `${ordinals.length} assets were asked for by ordinal and ${rows.length} exist`,
      });
    }
    return rows.map((row) =>
      row[0] === null ? null : { document: row[0] as string, extras: row[1] as string | null },
    );
  };
};
