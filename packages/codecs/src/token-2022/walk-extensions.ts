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
 * Null when the list cannot be walked to its end: an unknown type, a header or a value that does not fit. Agave then
 * prints no extension at all, so one unknown entry hides the known ones.
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
 * The value of the first entry of that name, a view. Null when the region has none before its end or type 0, when the
 * value is cut off, or when extensions of that name do not belong to records of `host`.
 *
 * Agave's search differs from its listing: it skips every other entry by its length, also one of an unknown type or of
 * the other kind of record, and ignores what follows. So amounts stay scaled where no extension is printed.
 */
export const findExtensionValue = (
  region: Uint8Array,
  name: ExtensionName,
  host: ExtensionHost,
): Uint8Array | null => {
  if (extensionHostOf(name) !== host) return null;
  const searched = extensionTypeOf(name);
  let offset = 0;
  while (region.length - offset >= 4) {
    const type = u16(region, offset);
    const end = offset + 4 + u16(region, offset + 2);
    if (type === searched) return end <= region.length ? region.subarray(offset + 4, end) : null;
    if (type === 0) return null;
    offset = end;
  }
  return null;
};

const u16 = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8);
