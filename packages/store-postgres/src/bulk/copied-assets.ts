// Turns derived pages into rows as COPY takes them, in the threads that derive. The numbers of assets are given by the
// writing thread, in the order in which pages come.

import type { DerivedAssets, DerivedLinks, Edition, NumberedAsset } from "@lamplight/core";
import { type CopyRows, encodeCopyRows } from "../engine/copy-rows.ts";
import { type AssetTable, assetRows, assetTables } from "../writes/write-assets.ts";
import type { Columns } from "../writes/bulk.ts";
import {
  editionColumns,
  editionValues,
  linkColumns,
  linkValues,
  seenColumns,
  seenValues,
} from "../writes/write-lists.ts";

/** Places in a row, behind an id of 32 bytes: the ordinal, and in the table of facts the change number. */
const layout = { ordinal: 42, changeSeq: 54 } as const;

export interface CopiedLinks {
  readonly links: Uint8Array;
  readonly seen: Uint8Array;
}

export interface CopiedAssets {
  readonly count: number;
  readonly tables: Readonly<Record<AssetTable, NumberedRows>>;
  readonly editions: Uint8Array;
}

interface NumberedRows extends CopyRows {
  /** One number for each row: the place of its asset in the page. */
  readonly assets: Uint32Array;
}

export const copyLinks = ({ links, seen }: DerivedLinks): CopiedLinks => ({
  links: encode(linkColumns, links.map(linkValues)).bytes,
  seen: encode(seenColumns, seen.map(seenValues)).bytes,
});

/** Derived assets. The ordinal of each is its place in the page, until the writing thread numbers it. */
export interface PlacedAssets {
  readonly assets: readonly NumberedAsset[];
  readonly editions: readonly Edition[];
}

export const placeAssets = (page: DerivedAssets): PlacedAssets => {
  const assets: NumberedAsset[] = [];
  const editions: Edition[] = [];
  for (const { asset, editions: proved } of page) {
    editions.push(...proved);
    if (asset !== null) assets.push({ ...asset, ordinal: assets.length, changeSeq: 0 });
  }
  return { assets, editions };
};

export const copyAssets = ({ assets, editions }: PlacedAssets): CopiedAssets => {
  const rows = assetRows(assets);
  const numbered = (table: AssetTable): NumberedRows => ({
    ...encode(assetTables[table], rows[table]),
    assets: Uint32Array.from(rows[table], (row) => row[1] as number),
  });
  return {
    count: assets.length,
    tables: {
      asset: numbered("asset"),
      asset_document: numbered("asset_document"),
      asset_creator: numbered("asset_creator"),
      asset_group: numbered("asset_group"),
    },
    editions: encode(editionColumns, editions.map(editionValues)).bytes,
  };
};

/** Writes the numbers into the rows. */
export const numberAssets = (page: CopiedAssets, firstOrdinal: number, firstChangeSeq: number): void => {
  for (const [table, { bytes, starts, assets }] of Object.entries(page.tables)) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const [row, start] of starts.entries()) {
      const asset = assets[row] as number;
      setInt8(view, start + layout.ordinal, firstOrdinal + asset);
      if (table === "asset") setInt8(view, start + layout.changeSeq, firstChangeSeq + asset);
    }
  }
};

const setInt8 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value >>> 0);
};

const encode = (columns: Columns, rows: Parameters<typeof encodeCopyRows>[1]): CopyRows =>
  encodeCopyRows(
    columns.map(([, type]) => type),
    rows,
  );
