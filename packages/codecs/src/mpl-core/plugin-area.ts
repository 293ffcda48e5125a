// From a Core account's registry to its plugins, each decoded within its own bytes only.

import { BorshReader, type ItemBudget } from "../borsh/borsh-reader.ts";
import { orNull } from "../borsh/or-null.ts";
import { type ExternalAdapter, readExternalAdapter } from "./external-adapters.ts";
import type { PluginAuthority } from "./plugin-authority.ts";
import { PLUGIN_BYTES_MAX, PLUGIN_ITEMS_MAX } from "./plugin-limits.ts";
import { type CorePluginData, readPlugin } from "./plugins.ts";
import {
  type DataRange,
  type ExternalRegistryRecord,
  type LifecycleCheck,
  readRegistry,
  type RegistryRecord,
} from "./registry.ts";

interface PluginPlace {
  /** Position among all plugins of the account, internal and external, by offset. */
  readonly index: number;
  /** As the registry says, even where it points outside the account. */
  readonly offset: bigint;
  readonly authority: PluginAuthority;
}

export interface CorePlugin extends PluginPlace {
  readonly data: CorePluginData;
}

/** A plugin of a type not known here, over its bounds, or whose bytes do not decode: kept as bytes. */
export interface UnknownPlugin extends PluginPlace {
  readonly type: number;
  /**
   * From the repeated type byte to the next plugin; empty when the offset lies outside the account, and over
   * `PLUGIN_BYTES_MAX`.
   */
  readonly bytes: Uint8Array;
}

interface AdapterPlace extends PluginPlace {
  readonly lifecycleChecks: readonly LifecycleCheck[] | null;
  readonly dataRange: DataRange | null;
  /** Null without a range, when it lies outside the account, and over `PLUGIN_BYTES_MAX`. */
  readonly data: Uint8Array | null;
}

export interface ExternalPlugin extends AdapterPlace {
  readonly adapter: ExternalAdapter;
}

/** An adapter of a type not known here, over its bounds, or whose bytes do not decode. */
export interface UnknownExternalPlugin extends AdapterPlace {
  readonly type: number;
  /** The bytes from the repeated type byte to the adapter's data or the next plugin; empty over `PLUGIN_BYTES_MAX`. */
  readonly bytes: Uint8Array;
}

/** Everything behind the base record; each list ascends by index. */
export interface PluginArea {
  readonly plugins: readonly CorePlugin[];
  readonly unknownPlugins: readonly UnknownPlugin[];
  readonly externalPlugins: readonly ExternalPlugin[];
  readonly unknownExternalPlugins: readonly UnknownExternalPlugin[];
  /** False when header or registry are damaged, or the registry is too long: plugins may be missing. */
  readonly complete: boolean;
}

const emptyPluginArea: PluginArea = {
  plugins: [],
  unknownPlugins: [],
  externalPlugins: [],
  unknownExternalPlugins: [],
  complete: true,
};

type CombinedRecord =
  | { readonly external: false; readonly record: RegistryRecord }
  | { readonly external: true; readonly record: ExternalRegistryRecord };

/** The plugins of an account whose base record ends at `baseEnd`. */
export const readPluginArea = (data: Uint8Array, baseEnd: number): PluginArea => {
  if (data.length === baseEnd) return emptyPluginArea;
  const registry = readRegistry(data, baseEnd);
  if (registry === null) return { ...emptyPluginArea, complete: false };
  const records: CombinedRecord[] = [
    ...registry.records.map((record) => ({ external: false as const, record })),
    ...registry.externalRecords.map((record) => ({ external: true as const, record })),
  ].toSorted((a, b) => Number(a.record.offset - b.record.offset));
  const area = {
    plugins: [] as CorePlugin[],
    unknownPlugins: [] as UnknownPlugin[],
    externalPlugins: [] as ExternalPlugin[],
    unknownExternalPlugins: [] as UnknownExternalPlugin[],
    complete: registry.complete,
  };
  const left: LeftForAdapters = {
    items: { left: PLUGIN_ITEMS_MAX },
    own: { bytes: PLUGIN_BYTES_MAX },
    data: { bytes: PLUGIN_BYTES_MAX },
  };
  for (const [index, combined] of records.entries()) {
    const next = records[index + 1]?.record.offset ?? BigInt(registry.offset);
    if (combined.external) addExternal(area, data, combined.record, index, next, left);
    else addInternal(area, data, combined.record, index, next);
  }
  return area;
};

interface GrowingArea {
  readonly plugins: CorePlugin[];
  readonly unknownPlugins: UnknownPlugin[];
  readonly externalPlugins: ExternalPlugin[];
  readonly unknownExternalPlugins: UnknownExternalPlugin[];
}

/** A plugin of Core has bounds of its own, so that adapters cannot hide what it says, such as a freeze. */
const addInternal = (
  area: GrowingArea,
  data: Uint8Array,
  { type, authority, offset }: RegistryRecord,
  index: number,
  next: bigint,
): void => {
  const bytes = slice(data, offset, next);
  const decoded = decodeWithin(bytes.subarray(0, PLUGIN_BYTES_MAX), type, readPlugin, {
    left: PLUGIN_ITEMS_MAX,
  });
  if (decoded !== null) area.plugins.push({ index, offset, authority, data: decoded });
  else {
    const kept = bytes.length > PLUGIN_BYTES_MAX ? noBytes : bytes;
    area.unknownPlugins.push({ index, offset, authority, type, bytes: kept });
  }
};

const noBytes = new Uint8Array(0);

interface ByteBudget {
  bytes: number;
}

/** Further adapters of the account may have so much. Data have a bound of their own, because strangers may write them: they hide no adapter. */
interface LeftForAdapters {
  readonly items: ItemBudget;
  readonly own: ByteBudget;
  readonly data: ByteBudget;
}

const addExternal = (
  area: GrowingArea,
  data: Uint8Array,
  { type, authority, offset, lifecycleChecks, dataRange }: ExternalRegistryRecord,
  index: number,
  next: bigint,
  left: LeftForAdapters,
): void => {
  const bytes = takeBytes(slice(data, offset, dataRange?.offset ?? next), left.own) ?? noBytes;
  const adapter = decodeWithin(bytes, type, readExternalAdapter, left.items);
  const found = dataRange === null ? null : findData(data, dataRange);
  const place = {
    index,
    offset,
    authority,
    lifecycleChecks,
    dataRange,
    data: found === null ? null : takeBytes(found, left.data),
  };
  if (adapter === null) area.unknownExternalPlugins.push({ ...place, type, bytes });
  else area.externalPlugins.push({ ...place, adapter });
};

/** Null where they are more than what is left. */
const takeBytes = (bytes: Uint8Array, left: ByteBudget): Uint8Array | null => {
  if (bytes.length > left.bytes) return null;
  left.bytes -= bytes.length;
  return bytes;
};

/**
 * Null when the type is unknown, is not repeated at the start of the bytes, the bytes do not hold the payload, or its
 * lists are too long.
 */
const decodeWithin = <T>(
  bytes: Uint8Array,
  type: number,
  read: (type: number, reader: BorshReader) => T | null,
  items: ItemBudget,
): T | null => {
  if (bytes[0] !== type) return null;
  return orNull(() => read(type, new BorshReader("Core plugin", bytes, 1, items)));
};

const slice = (data: Uint8Array, start: bigint, end: bigint): Uint8Array => {
  const length = BigInt(data.length);
  if (start >= length || end <= start) return data.subarray(0, 0);
  return data.subarray(Number(start), Number(end < length ? end : length));
};

const findData = (data: Uint8Array, { offset, length }: DataRange): Uint8Array | null =>
  offset + length > BigInt(data.length) ? null : data.subarray(Number(offset), Number(offset + length));
