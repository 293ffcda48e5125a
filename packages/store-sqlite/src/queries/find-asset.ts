import type { AddressBytes, AnswerTo } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const findAssetSql = `SELECT document, extras, updated_slot FROM asset
JOIN asset_document ON asset_document.ord = asset.ord WHERE asset.id = ?`;

export const prepareFindAsset = (connection: Connection): ((id: AddressBytes) => AnswerTo<"ownAsset">) => {
  const statement = connection.prepare(findAssetSql);
  return (id) => {
    const row = statement.get(id);
    if (row === undefined) return null;
    return {
      document: row[0] as string,
      extras: row[1] as string | null,
      updatedSlot: Number(row[2]),
    };
  };
};
