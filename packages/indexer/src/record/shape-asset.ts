import type { Asset, AssetFacts, Slot } from "@lamplight/core";
import type { AssetRecord } from "./asset-record.ts";
import { shapeDocument } from "./shape-document.ts";
import { shapeExtras } from "./shape-extras.ts";

/** An asset as a store keeps it: searchable facts, its own document and the extras. */
export const shapeAsset = (record: AssetRecord, createdSlot: Slot): Asset => ({
  ...factsOf(record, createdSlot),
  document: shapeDocument(record),
  extras: shapeExtras(record),
});

const factsOf = (record: AssetRecord, createdSlot: Slot): AssetFacts => ({
  id: record.id,
  interface: record.interface,
  ownerModel: record.ownerModel,
  assetOwner: record.assetOwner,
  delegate: record.delegate,
  authority: record.authority,
  supply: record.supply,
  supplyMint: record.supplyMint,
  royaltyModel: "creators",
  basisPoints: record.basisPoints,
  creators: record.creators,
  groups: record.groups,
  inherits: record.inherits,
  compressed: record.compression !== null,
  compressible: false,
  frozen: record.frozen,
  burnt: record.burnt,
  mutable: record.mutable,
  name: record.name,
  jsonUri: record.jsonUri,
  tree: record.compression?.tree ?? null,
  leafIndex: record.compression?.leafIndex ?? null,
  createdSlot,
  updatedSlot: record.updatedSlot,
});
