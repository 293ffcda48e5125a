import { createHash } from "node:crypto";
import { programAddresses } from "@lamplight/codecs";
import type { Account, AddressBytes, Slot } from "@lamplight/core";

const addressOf = (name: string): AddressBytes => new Uint8Array(createHash("sha256").update(name).digest());

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8);
const u32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Uint8Array => Buffer.concat([u32(value), u32(0)]);
const text = (value: string): Uint8Array => Buffer.concat([u32(value.length), Buffer.from(value)]);

const accountOf = (address: AddressBytes, data: Uint8Array, slot: Slot): Account => ({
  address,
  programOwner: programAddresses.mplCore,
  lamports: 1_000_000n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot,
  writeVersion: 0,
});

export const collectionAddress = addressOf("collection");

/** Every tenth has royalties of its own, and takes only the rest from its collection. */
export const memberAccount = (index: number, slot: Slot): Account => {
  const base = Buffer.concat([
    Uint8Array.of(1),
    addressOf(`owner ${index % 1000}`),
    Uint8Array.of(2),
    collectionAddress,
    text(`Member #${index}`),
    text(`https://example.com/${index}.json`),
    Uint8Array.of(0),
  ]);
  const data = index % 10 === 0 ? withRoyalties(base, basisPointsOf(index / 10)) : base;
  return accountOf(addressOf(`member ${index}`), data, slot);
};

// Values repeat, so that a search for an old one finds nothing, or what a fork of the past had.
export const AUTHORITIES = 7;
export const BASIS_POINTS = 5;
export const authorityOf = (which: number): AddressBytes => addressOf(`authority ${which % AUTHORITIES}`);
export const basisPointsOf = (which: number): number => 100 + (which % BASIS_POINTS);

/**
 * The terms that an update of the collection changes for its members: who may change them, and what is due on a sale.
 */
export interface Terms {
  readonly authority: AddressBytes;
  readonly basisPoints: number;
}

export const collectionAccount = (
  { authority, basisPoints }: Terms,
  members: number,
  slot: Slot,
): Account => {
  const base = Buffer.concat([
    Uint8Array.of(5),
    authority,
    text("Collection"),
    text("https://example.com/collection.json"),
    u32(members),
    u32(members),
  ]);
  return accountOf(collectionAddress, withRoyalties(base, basisPoints), slot);
};

/** One creator, no rule set, changed by the update authority. */
const withRoyalties = (base: Uint8Array, basisPoints: number): Buffer => {
  const royalties = Buffer.concat([
    Uint8Array.of(0),
    u16(basisPoints),
    u32(1),
    addressOf("creator"),
    Uint8Array.of(100, 0),
  ]);
  const pluginAt = base.length + 9;
  const byUpdateAuthority = 2;
  const registry = Buffer.concat([
    Uint8Array.of(4),
    u32(1),
    Uint8Array.of(0, byUpdateAuthority),
    u64(pluginAt),
    u32(0),
  ]);
  const header = Buffer.concat([Uint8Array.of(3), u64(pluginAt + royalties.length)]);
  return Buffer.concat([base, header, royalties, registry]);
};
