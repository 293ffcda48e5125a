import type { StoredAsset } from "../domain/asset.ts";
import type { StoredContent } from "./asset-reader.ts";

/** Between two documents of `PackedAssets`: the documents of a page are then its items as they stand. */
export const PACK_SEPARATOR = ",";

/** Own documents of several assets in one block of bytes: a value for each would cost more than reading it. */
export interface PackedAssets {
  /** UTF-8, with `PACK_SEPARATOR` between two documents. */
  readonly bytes: Buffer;
  /** Bytes of each document; 0 where document or extras are larger than was asked for. */
  readonly sizes: readonly number[];
  /** Extras of those that inherit from a collection, by their place. */
  readonly inheriting: ReadonlyMap<number, string>;
  /** False where no off-chain document adds to any asset. */
  readonly mayHaveContents: boolean;
}

/** What off-chain documents add, one behind the other, without a separator. */
export interface PackedContents {
  readonly bytes: Buffer;
  /** Bytes of each, or one of `absentContent`. */
  readonly sizes: readonly number[];
}

/** In place of a size. */
export const absentContent = {
  /** There is nothing to add. */
  none: -1,
  /** It is larger than was asked for. */
  tooLarge: -2,
} as const;

const inheritsStart = '{"inherits":';

export const packAssets = (assets: readonly (StoredAsset | null)[]): PackedAssets => {
  const inheriting = new Map<number, string>();
  for (const [index, asset] of assets.entries())
    if (asset?.extras?.startsWith(inheritsStart) === true) inheriting.set(index, asset.extras);
  const documents = assets.map((asset) => asset?.document ?? "");
  return {
    bytes: Buffer.from(documents.join(PACK_SEPARATOR)),
    sizes: documents.map((document) => Buffer.byteLength(document)),
    inheriting,
    mayHaveContents: true,
  };
};

export const packContents = (contents: readonly (StoredContent | null)[]): PackedContents => {
  const parts = contents.map((content) => content?.parts ?? "");
  return {
    bytes: Buffer.from(parts.join("")),
    sizes: contents.map((content, index) => {
      if (content === null) return absentContent.none;
      return content.parts === null ? absentContent.tooLarge : Buffer.byteLength(parts[index]!);
    }),
  };
};
