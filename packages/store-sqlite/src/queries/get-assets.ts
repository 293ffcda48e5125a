import type { Ordinal, StoredAsset } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";

/** The ordinals come as one JSON array, so that one statement serves any number of them, in the order asked. */
export const getAssetsSql = `SELECT asset.ord, asset.id, document, extras FROM json_each(?) AS asked
CROSS JOIN asset ON asset.ord = asked.value
CROSS JOIN asset_document ON asset_document.ord = asset.ord
ORDER BY asked.key`;

export const prepareGetAssets = (
  connection: Connection,
): ((ordinals: readonly Ordinal[]) => readonly StoredAsset[]) => {
  const statement = connection.prepare(getAssetsSql);
  return (ordinals) => {
    if (ordinals.length === 0) return [];
    const rows = statement.all(JSON.stringify(ordinals));
    if (rows.length !== ordinals.length) {
      throw new LamplightError("STORE__CORRUPT", {
        store: connection.file,
        reason: `${ordinals.length} assets were asked for by ordinal and ${rows.length} exist`,
      });
    }
    return rows.map((row) => ({
      ordinal: Number(row[0]),
      id: row[1] as Uint8Array,
      document: row[2] as string,
      extras: row[3] as string | null,
    }));
  };
};
