// Extensions are a list of entries: type u16, length u16, value. The region is what `extensionsOf` gives.
import {
  type ExtensionHost,
  extensionHostOf,
  type ExtensionName,
  extensionNameOf,
  extensionTypeOf,
} from "./extension-layouts.ts";

/**
 * Names of all entries in stored order, repetitions included.
 *
 * Null when the list cannot be walked to its end: an unknown type, a header or a value that does not fit. Then the
 * reference shows no extension at all, so one unknown entry hides the known ones.
 */
export const listExtensions = (region: Uint8Array): readonly ExtensionName[] | null => {
  const found: ExtensionName[] = [];
  let offset = 0;
  while (region.length - offset >= 2) {
    const type = u16(region, offset);
    if (type === 0) return found;
    const name = extensionNameOf(type);
    if (name === null || region.length - offset < 4) return null;
    found.push(name);
    offset += 4 + u16(region, offset + 2);
    if (offset > region.length) return null;
  }
  return found;
};

/**
 * The value of the first entry of that name, a view; null when a reader of `host` cannot reach it.
 *
 * Stricter than listing in one point, as in the reference: the search gives up at the first entry that belongs to
 * the other kind of record. Looser in another: what follows the entry is not looked at.
 */
export const findExtensionValue = (
  region: Uint8Array,
  name: ExtensionName,
  host: ExtensionHost,
): Uint8Array | null => {
  if (extensionHostOf(name) !== host) return null;
  const wanted = extensionTypeOf(name);
  let offset = 0;
  while (region.length - offset >= 4) {
    const type = u16(region, offset);
    const end = offset + 4 + u16(region, offset + 2);
    if (type === wanted) return end <= region.length ? region.subarray(offset + 4, end) : null;
    const other = extensionNameOf(type);
    if (other === null || extensionHostOf(other) !== host) return null;
    offset = end;
  }
  return null;
};

const u16 = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8);
