import { isInheriting } from "../content/text-facts.ts";
import type { StoredAsset } from "../domain/asset.ts";
import type { StoredContent } from "./queries.ts";

/** Between two documents of `PackedAssets`: the documents of a page are then its items as they stand. */
export const packSeparator = ",";

/** Own documents of several assets in one block of bytes: a value for each would cost more than reading it. */
export interface PackedAssets {
  /** UTF-8, with `packSeparator` between two documents. */
  readonly bytes: Buffer;
  /** Bytes of each document; 0 where document or extras are larger than was asked for. */
  readonly sizes: readonly number[];
  /** Extras of those that inherit from a collection, by their place. */
  readonly inheriting: ReadonlyMap<number, string>;
  /** False where no off-chain document adds to any asset. */
  readonly mayHaveContents: boolean;
}

/** The parts that off-chain documents add, in one block of bytes. */
export interface PackedContents {
  readonly bytes: Buffer;
  /** Place of each document that was asked for, in that order. */
  readonly places: readonly PackedContent[];
}

/** Where a content lies; null where there is nothing to add. */
export type PackedContent = BytePlace | typeof tooLarge | null;

export interface BytePlace {
  readonly start: number;
  readonly size: number;
}

/** The place of a document that is larger than was asked for. */
export const tooLarge = "too large";

export const packAssets = (assets: readonly (StoredAsset | null)[]): PackedAssets => {
  const inheriting = new Map<number, string>();
  for (const [index, asset] of assets.entries())
    if (asset !== null && isInheriting(asset)) inheriting.set(index, asset.extras!);
  const documents = assets.map((asset) => asset?.document ?? "");
  return {
    bytes: Buffer.from(documents.join(packSeparator)),
    sizes: documents.map((document) => Buffer.byteLength(document)),
    inheriting,
    mayHaveContents: true,
  };
};

export const packContents = (contents: readonly (StoredContent | null)[]): PackedContents => {
  let end = 0;
  const places = contents.map((content): PackedContent => {
    if (content === null) return null;
    if (content.parts === null) return tooLarge;
    const size = Buffer.byteLength(content.parts);
    end += size;
    return { start: end - size, size };
  });
  return { bytes: Buffer.from(contents.map((content) => content?.parts ?? "").join("")), places };
};
