import type { AddressBytes, FoundAsset } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const findAssetSql = `SELECT asset.ord, document, extras, updated_slot FROM asset
JOIN asset_document ON asset_document.ord = asset.ord WHERE asset.id = ?`;

export const prepareFindAsset = (connection: Connection): ((id: AddressBytes) => FoundAsset | null) => {
  const statement = connection.prepare(findAssetSql);
  return (id) => {
    const row = statement.get(id);
    if (row === undefined) return null;
    return {
      ordinal: Number(row[0]),
      document: row[1] as string,
      extras: row[2] as string | null,
      updatedSlot: Number(row[3]),
    };
  };
};
