// Turns links and assets into rows: the work that does not need the database, done in the threads that derive.

import { type Asset, type DerivedAssets, type Edition, type DerivedLinks, roleNumber } from "@lamplight/core";
import { assetValues } from "../columns/asset-row.ts";
import { EDITION_ROW_BYTES, writeEdition } from "./edition-row.ts";
import { packedBuffers, type PackedRows, RowPacker } from "./packed-rows.ts";

/** Rows of `link` and `asset_seen`, each ascending by key. */
export interface EncodedLinks {
  readonly links: PackedRows;
  readonly seen: PackedRows;
}

/** Rows of the tables of assets, ascending by ordinal. */
export interface EncodedAssets {
  readonly count: number;
  readonly assets: PackedRows;
  readonly documents: PackedRows;
  readonly creators: PackedRows;
  readonly groups: PackedRows;
  /** Editions are packed as `writeEdition` packs them. */
  readonly editions: Uint8Array;
}

export const encodeLinks = ({ links, seen }: DerivedLinks): EncodedLinks => {
  const linkRows = new RowPacker();
  for (const { target, role, source } of links) {
    linkRows.blob(target);
    linkRows.number(roleNumber(role));
    linkRows.blob(source);
  }
  const seenRows = new RowPacker();
  for (const { id, slot } of seen) {
    seenRows.blob(id);
    seenRows.number(slot);
  }
  return { links: linkRows.pack(), seen: seenRows.pack() };
};

export const encodeAssets = (page: DerivedAssets): EncodedAssets => {
  const packers = {
    assets: new RowPacker(),
    documents: new RowPacker(),
    creators: new RowPacker(),
    groups: new RowPacker(),
  };
  const editions: Edition[] = [];
  let count = 0;
  for (const { asset, editions: proved } of page) {
    editions.push(...proved);
    if (asset === null) continue;
    packAsset(asset, count, packers);
    count += 1;
  }
  return {
    count,
    assets: packers.assets.pack(),
    documents: packers.documents.pack(),
    creators: packers.creators.pack(),
    groups: packers.groups.pack(),
    editions: packEditions(editions),
  };
};

type Packers = Readonly<Record<"assets" | "documents" | "creators" | "groups", RowPacker>>;

const packAsset = (asset: Asset, index: number, { assets, documents, creators, groups }: Packers): void => {
  // In a new store each change adds one asset, so both numbers count up together.
  assets.ordinal(index);
  assets.ordinal(index + 1);
  for (const value of assetValues(asset)) assets.value(value);
  documents.ordinal(index);
  documents.text(asset.document);
  documents.value(asset.extras);
  packLists(asset, index, creators, groups);
};

const packLists = (asset: Asset, index: number, creators: RowPacker, groups: RowPacker): void => {
  for (const [position, { address, verified, share }] of asset.creators.entries()) {
    creators.ordinal(index);
    creators.number(position);
    creators.blob(address);
    creators.number(Number(verified));
    creators.number(share);
  }
  for (const [position, { key, value, verified }] of asset.groups.entries()) {
    groups.ordinal(index);
    groups.number(position);
    groups.text(key);
    groups.text(value);
    groups.number(Number(verified));
  }
};

const packEditions = (editions: readonly Edition[]): Uint8Array => {
  const bytes = Buffer.alloc(EDITION_ROW_BYTES * editions.length);
  for (const [index, edition] of editions.entries()) writeEdition(edition, bytes, EDITION_ROW_BYTES * index);
  return new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

export const linkBuffers = ({ links, seen }: EncodedLinks): ArrayBufferLike[] => [
  ...packedBuffers(links),
  ...packedBuffers(seen),
];

export const assetBuffers = (rows: EncodedAssets): ArrayBufferLike[] => [
  ...[rows.assets, rows.documents, rows.creators, rows.groups].flatMap(packedBuffers),
  rows.editions.buffer,
];
