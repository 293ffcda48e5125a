import { BorshReader } from "../borsh/borsh-reader.ts";

const VERSION_BIT = 0x80;
const SIGNATURE_BYTES = 64;
const SIGNATURES_MAX = 127;
/** Indexes are one byte. */
const KEYS_MAX = 256;
const LOOKUPS_MAX = 256;
const INSTRUCTIONS_MAX = 1024;

export interface WireInstruction {
  readonly programIndex: number;
  /** Indexes into static keys, then loaded writable, then loaded read-only keys. */
  readonly accountIndexes: Uint8Array;
  readonly data: Uint8Array;
}

export interface AddressTableLookup {
  readonly table: Uint8Array;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

/** A transaction as it travels, before the lookup tables are resolved. */
export interface WireTransaction {
  readonly version: "legacy" | 0;
  readonly signatures: readonly Uint8Array[];
  readonly staticKeys: readonly Uint8Array[];
  /** A durable transaction has the value of its nonce here. */
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly AddressTableLookup[];
}

/**
 * Decodes a serialized transaction of the legacy or version 0 form.
 *
 * @throws {LamplightError} `CODEC__MALFORMED` when it is cut short, has bytes left over or an unknown version
 */
export const decodeWireTransaction = (bytes: Uint8Array): WireTransaction => {
  const reader = new BorshReader("transaction", bytes);
  const signatures = shortList(reader, SIGNATURES_MAX, "signatures", () => reader.bytes(SIGNATURE_BYTES));
  const first = reader.u8();
  const version = first & VERSION_BIT ? first & ~VERSION_BIT : "legacy";
  if (version !== "legacy" && version !== 0) return reader.fail(`unknown version ${version}`);
  // The header: required signatures (the byte already read in legacy messages), read-only signed and unsigned counts.
  reader.bytes(version === "legacy" ? 2 : 3);
  const staticKeys = shortList(reader, KEYS_MAX, "account keys", () => reader.key());
  const recentBlockhash = reader.key();
  const instructions = shortList(reader, INSTRUCTIONS_MAX, "instructions", () => readInstruction(reader));
  const lookups =
    version === 0 ? shortList(reader, LOOKUPS_MAX, "table lookups", () => readLookup(reader)) : [];
  reader.end();
  return { version, signatures, staticKeys, recentBlockhash, instructions, lookups };
};

const readInstruction = (reader: BorshReader): WireInstruction => ({
  programIndex: reader.u8(),
  accountIndexes: reader.bytes(shortLength(reader)),
  data: reader.bytes(shortLength(reader)),
});

const readLookup = (reader: BorshReader): AddressTableLookup => ({
  table: reader.key(),
  writableIndexes: reader.bytes(shortLength(reader)),
  readonlyIndexes: reader.bytes(shortLength(reader)),
});

const shortList = <Item>(
  reader: BorshReader,
  limit: number,
  what: string,
  read: () => Item,
): readonly Item[] => {
  const count = shortLength(reader);
  if (count > limit) reader.fail(`${count} ${what}, at most ${limit}`);
  return Array.from({ length: count }, read);
};

/** A length of up to 16 bits, seven bits per byte, lowest first. */
const shortLength = (reader: BorshReader): number => {
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = reader.u8();
    length |= (byte & 0x7f) << shift;
    if ((byte & VERSION_BIT) === 0) return length > 0xffff ? reader.fail("a length over 16 bits") : length;
  }
  return reader.fail("a length of more than three bytes");
};
