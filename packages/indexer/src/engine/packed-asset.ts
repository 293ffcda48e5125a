// Anyone can write a metadata text of 64 KiB whose JSON is six times as long. Changes that wait for their slot to be
// finalized keep long documents compressed, so that they take about the bytes that were written.

import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Asset, AssetFacts } from "@lamplight/core";
import { DERIVED_ASSET_BYTES, PACKED_CHARS_MIN } from "./limits.ts";

interface Packed {
  /** Without the texts. */
  readonly facts: AssetFacts;
  readonly bytes: number;
  readonly textBytes: TextBytes;
}

/** Bytes of the two texts of an asset in UTF-8. */
interface TextBytes {
  readonly document: number;
  readonly extras: number;
}

const packed = new WeakMap<Asset, Packed>();

/** Compresses the long texts of an asset. They are unpacked each time that they are read. */
export const packAsset = (asset: Asset): Asset => {
  if (packed.has(asset) || charsOf(asset) < PACKED_CHARS_MIN) return asset;
  const { document, extras, ...facts } = asset;
  const ofDocument = packText(document);
  const ofExtras = extras === null ? null : packText(extras);
  const one = {
    ...facts,
    // Accessors of the object itself: copies and serialized forms have the texts.
    get document() {
      return unpackText(ofDocument);
    },
    get extras() {
      return ofExtras === null ? null : unpackText(ofExtras);
    },
  };
  const bytes = ofDocument.length + (ofExtras?.length ?? 0);
  packed.set(one, { facts, bytes, textBytes: bytesOfTexts(asset) });
  return one;
};

/** The facts of an asset, where a copy of it would unpack its texts. */
export const factsOf = (asset: Asset): AssetFacts => packed.get(asset)?.facts ?? asset;

/** The size of an asset's texts, which are not unpacked for it. */
export const textBytesOf = (asset: Asset): TextBytes => packed.get(asset)?.textBytes ?? bytesOfTexts(asset);

const bytesOfTexts = ({ document, extras }: Asset): TextBytes => ({
  document: Buffer.byteLength(document),
  extras: Buffer.byteLength(extras ?? ""),
});

/** Memory of an asset. Text takes up to two bytes a character. */
export const assetBytes = (asset: Asset | null): number => {
  if (asset === null) return DERIVED_ASSET_BYTES;
  const { name, jsonUri } = asset;
  const texts = packed.get(asset)?.bytes ?? 2 * charsOf(asset);
  return DERIVED_ASSET_BYTES + texts + 2 * (name.length + jsonUri.length);
};

const charsOf = ({ document, extras }: Asset): number => document.length + (extras?.length ?? 0);

const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/** A copy, because what the encoder returns may lie in a larger buffer. */
const packText = (text: string): Uint8Array => new Uint8Array(zstdCompressSync(text, { params }));

const unpackText = (bytes: Uint8Array): string => zstdDecompressSync(bytes).toString();
