import type { AddressBytes, Asset, Ordinal } from "@lamplight/core";
import { assetColumns, assetValues } from "../columns/asset-row.ts";
import type { Connection } from "../engine/connection.ts";
import type { HeadDraft } from "./write-head.ts";

export interface AssetWriter {
  /** The asset's ordinal: its old one, or the next when it is new. */
  put(asset: Asset, head: HeadDraft): Ordinal;
  /** A new asset, with the numbers that it has in another store. */
  insert(asset: Asset, ordinal: Ordinal, changeSeq: number): void;
  /** The asset's ordinal, which is not used again. */
  remove(id: AddressBytes, head: HeadDraft): void;
}

export const prepareAssetWriter = (connection: Connection): AssetWriter => {
  const findOrdinal = connection.prepare("SELECT ord FROM asset WHERE id = ?");
  const columns = ["ord", "change_seq", ...assetColumns];
  const put = connection.prepare(
    `INSERT INTO asset (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
ON CONFLICT (ord) DO UPDATE SET ${columns
      .slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")}`,
  );
  const putDocument = connection.prepare("INSERT OR REPLACE INTO asset_document VALUES (?, ?, ?)");
  const removed = connection.prepare("INSERT INTO asset_removed (change_seq, ord) VALUES (?, ?)");
  const removals = ["asset", "asset_document", "asset_creator", "asset_group"].map((table) =>
    connection.prepare(`DELETE FROM ${table} WHERE ord = ?`),
  );
  const lists = prepareLists(connection);
  const putRows = (asset: Asset, ordinal: Ordinal, changeSeq: number, isKnown: boolean): void => {
    put.run(ordinal, changeSeq, ...assetValues(asset));
    putDocument.run(ordinal, asset.document, asset.extras);
    lists.replace(ordinal, asset, isKnown);
  };
  return {
    put: (asset, head) => {
      const known = findOrdinal.get(asset.id);
      const ordinal = known === undefined ? head.nextOrdinal : Number(known[0]);
      if (known === undefined) head.nextOrdinal += 1;
      head.changeSeq += 1;
      putRows(asset, ordinal, head.changeSeq, known !== undefined);
      return ordinal;
    },
    insert: (asset, ordinal, changeSeq) => putRows(asset, ordinal, changeSeq, false),
    remove: (id, head) => {
      const known = findOrdinal.get(id)?.[0];
      if (known === undefined) return;
      for (const removal of removals) removal.run(known);
      head.changeSeq += 1;
      removed.run(head.changeSeq, known);
    },
  };
};

/** Creators and groups, in their order. */
const prepareLists = (connection: Connection) => {
  const removeCreators = connection.prepare("DELETE FROM asset_creator WHERE ord = ?");
  const removeGroups = connection.prepare("DELETE FROM asset_group WHERE ord = ?");
  const putCreator = connection.prepare("INSERT INTO asset_creator VALUES (?, ?, ?, ?, ?)");
  const putGroup = connection.prepare("INSERT INTO asset_group VALUES (?, ?, ?, ?, ?)");
  return {
    replace: (ordinal: Ordinal, asset: Asset, isKnown: boolean): void => {
      if (isKnown) {
        removeCreators.run(ordinal);
        removeGroups.run(ordinal);
      }
      for (const [position, creator] of asset.creators.entries()) {
        putCreator.run(ordinal, position, creator.address, Number(creator.verified), creator.share);
      }
      for (const [position, group] of asset.groups.entries()) {
        putGroup.run(ordinal, position, group.key, group.value, Number(group.verified));
      }
    },
  };
};
