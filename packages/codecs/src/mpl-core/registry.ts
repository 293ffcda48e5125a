// The registry at the end of a Core account: which plugin lies where, and who rules it.

import { BorshReader } from "../borsh/borsh-reader.ts";
import { orNull } from "../borsh/or-null.ts";
import { type PluginAuthority, readPluginAuthority } from "./plugin-authority.ts";
import { PLUGIN_ITEMS_MAX } from "./plugin-limits.ts";

export interface LifecycleCheck {
  /** 0 create, 1 transfer, 2 burn, 3 update, 4 execute; newer numbers are kept. */
  readonly event: number;
  /** Bits: 1 can listen, 2 can approve, 4 can reject. */
  readonly flags: number;
}

/** The place of an adapter's data in the account. */
export interface DataRange {
  readonly offset: bigint;
  readonly length: bigint;
}

export interface RegistryRecord {
  readonly type: number;
  readonly authority: PluginAuthority;
  /** Bytes from the start of the account. */
  readonly offset: bigint;
}

export interface ExternalRegistryRecord extends RegistryRecord {
  /** Null when the adapter registers for nothing. */
  readonly lifecycleChecks: readonly LifecycleCheck[] | null;
  readonly dataRange: DataRange | null;
}

export interface PluginRegistry {
  readonly offset: number;
  readonly records: readonly RegistryRecord[];
  readonly externalRecords: readonly ExternalRegistryRecord[];
  /** False when the registry could not be read to its end, or is too long: the records before the break are kept. */
  readonly complete: boolean;
}

const HEADER_KEY = 3;
const REGISTRY_KEY = 4;
/** A plugin record with an authority without an address. */
const RECORD_BYTES_MIN = 10;
const EXTERNAL_RECORD_BYTES_MIN = 13;

/** The registry of an account whose base record ends at `baseEnd`; null when header or registry are not there. */
export const readRegistry = (data: Uint8Array, baseEnd: number): PluginRegistry | null => {
  const reader = orNull(() => openRegistry(data, baseEnd));
  if (reader === null) return null;
  const offset = reader.offset;
  const records: RegistryRecord[] = [];
  const externalRecords: ExternalRegistryRecord[] = [];
  const complete = orNull(() => {
    if (reader.u8() !== REGISTRY_KEY) reader.fail("no plugin registry at its offset");
    readRecords(reader, RECORD_BYTES_MIN, readRecord, records);
    readRecords(reader, EXTERNAL_RECORD_BYTES_MIN, readExternalRecord, externalRecords);
    return true;
  });
  return { offset, records, externalRecords, complete: complete ?? false };
};

const openRegistry = (data: Uint8Array, baseEnd: number): BorshReader => {
  const header = new BorshReader("Core plugin header", data, baseEnd);
  if (header.u8() !== HEADER_KEY) header.fail("no plugin header behind the base record");
  const offset = header.counter("registry offset");
  if (offset < header.offset || offset > data.length)
    header.fail(`registry offset ${offset} is not behind the header`);
  return new BorshReader("Core plugin registry", data, offset, { left: PLUGIN_ITEMS_MAX });
};

/** Like a list of the reader, except that what was read before a break stays in `records`. */
const readRecords = <T>(
  reader: BorshReader,
  bytesMin: number,
  read: (reader: BorshReader) => T,
  records: T[],
): void => {
  const count = reader.u32();
  if (count * bytesMin > reader.remaining) reader.fail(`a list of ${count} records does not fit`);
  for (let index = 0; index < Math.min(count, PLUGIN_ITEMS_MAX); index += 1) records.push(read(reader));
  if (count > PLUGIN_ITEMS_MAX) reader.fail(`${count} records are too many`);
};

const readRecord = (reader: BorshReader): RegistryRecord => ({
  type: reader.u8(),
  authority: readPluginAuthority(reader),
  offset: reader.u64(),
});

const LIFECYCLE_CHECK_BYTES = 5;

const readExternalRecord = (reader: BorshReader): ExternalRegistryRecord => {
  const type = reader.u8();
  const authority = readPluginAuthority(reader);
  const lifecycleChecks = reader.option(() =>
    reader.list(LIFECYCLE_CHECK_BYTES, () => ({ event: reader.u8(), flags: reader.u32() })),
  );
  const offset = reader.u64();
  const dataOffset = reader.option(() => reader.u64());
  const dataLength = reader.option(() => reader.u64());
  const dataRange =
    dataOffset === null || dataLength === null ? null : { offset: dataOffset, length: dataLength };
  return { type, authority, offset, lifecycleChecks, dataRange };
};
