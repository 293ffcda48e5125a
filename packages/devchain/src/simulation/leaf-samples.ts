import { keccak256, type LeafMetadataV1, type LeafMetadataV2 } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";

/** An address made of one number, for tests. */
export const addressOf = (number: number): AddressBytes =>
  keccak256(Uint8Array.of(number & 255, number >> 8));

/** Metadata of a V1 leaf, with these members in place of the sample's. */
export const metadataV1 = (change: Partial<LeafMetadataV1> = {}): LeafMetadataV1 => ({
  version: 1,
  name: "Lamp",
  symbol: "LMP",
  uri: "https://example.com/1.json",
  basisPoints: 500,
  primarySaleHappened: false,
  mutable: true,
  editionNonce: null,
  tokenStandard: 0,
  collection: null,
  uses: null,
  tokenProgramVersion: 0,
  creators: [{ address: addressOf(900), verified: false, share: 100 }],
  ...change,
});

/** The same of a V2 leaf. */
export const metadataV2 = (change: Partial<LeafMetadataV2> = {}): LeafMetadataV2 => ({
  version: 2,
  name: "Lamp",
  symbol: "LMP",
  uri: "https://example.com/2.json",
  basisPoints: 500,
  primarySaleHappened: false,
  mutable: true,
  tokenStandard: 0,
  collection: null,
  creators: [],
  ...change,
});
