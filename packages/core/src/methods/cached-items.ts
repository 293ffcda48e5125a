import type { Ordinal } from "../domain/asset.ts";
import { storeTallies } from "../caching/store-tallies.ts";
import { packSeparator } from "../ports/packed-assets.ts";
import type { CachedItem, ItemsOfState } from "../caching/item-cache.ts";

/** A copy of the cached ones of some items, in one block of bytes: the cache may overwrite its own. */
export interface CachedBlock {
  /** The items, with `packSeparator` between two of them. */
  readonly bytes: Buffer;
  /** Bytes of each item that was asked for; 0 = not cached. Empty where there is no cache. */
  readonly sizes: readonly number[];
  readonly found: number;
}

const nothing: CachedBlock = { bytes: Buffer.alloc(0), sizes: [], found: 0 };

export const copyCached = (ordinals: readonly Ordinal[], cache: ItemsOfState | null): CachedBlock => {
  if (cache === null) return nothing;
  const found: CachedItem[] = [];
  const sizes = ordinals.map((ordinal) => {
    const item = cache.find(ordinal);
    if (item === undefined) return 0;
    found.push(item);
    return item.size;
  });
  storeTallies.cachedItems += found.length;
  storeTallies.uncachedItems += ordinals.length - found.length;
  const separators = Math.max(0, found.length - 1) * packSeparator.length;
  const bytes = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size, separators));
  let at = 0;
  for (const [index, item] of found.entries()) {
    if (index > 0) bytes[at++] = separator;
    at += item.bytes.copy(bytes, at, item.start, item.start + item.size);
  }
  return { bytes, sizes, found: found.length };
};

const separator = packSeparator.charCodeAt(0);
