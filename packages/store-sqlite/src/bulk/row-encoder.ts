// Loaded by name into the threads that merge and derive: see `rowEncoderUrl`. Every answer comes with the memory to
// hand over with it.

import type { AccountBatch, DerivedAssets, DerivedLinks, Encoded, EncodingOptions } from "@lamplight/core";
import {
  assetBuffers,
  type EncodedAssets,
  type EncodedLinks,
  encodeAssets as assetRowsOf,
  encodeLinks as linkRowsOf,
  linkBuffers,
} from "./encode-derived.ts";
import { buffersOf, type EncodedRows, encodeRows } from "./encode-rows.ts";

/** @public loaded by name */
export const encodeBatch = (
  accounts: AccountBatch,
  _count: number,
  { holdings = true }: EncodingOptions = {},
): Encoded<EncodedRows> => {
  const encoded = encodeRows(accounts, holdings);
  return { encoded, buffers: buffersOf(encoded) };
};

/** @public loaded by name */
export const encodeLinks = (page: DerivedLinks): Encoded<EncodedLinks> => {
  const encoded = linkRowsOf(page);
  return { encoded, buffers: linkBuffers(encoded) };
};

/** @public loaded by name */
export const encodeAssets = (page: DerivedAssets): Encoded<EncodedAssets> => {
  const encoded = assetRowsOf(page);
  return { encoded, buffers: assetBuffers(encoded) };
};
