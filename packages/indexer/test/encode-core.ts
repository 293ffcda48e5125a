// MPL Core accounts of tests, encoded by the program's layouts.

import { programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** An address that is the same byte 32 times over. */
export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

export const u32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const u64 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

const text = (value: string): Uint8Array =>
  Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)]);

export interface Plugin {
  readonly type: number;
  /** Kind 0 none, 1 owner, 2 update authority; default owner. */
  readonly authority?: number;
  readonly payload?: readonly number[] | Uint8Array;
}

/** A base record with plugins behind it. */
const withPlugins = (base: Uint8Array, plugins: readonly Plugin[]): Uint8Array => {
  if (plugins.length === 0) return base;
  const bodies = plugins.map(({ type, payload = [] }) => Buffer.from([type, ...payload]));
  let at = base.length + 9;
  const records = plugins.map(({ type, authority = 1 }, index) => {
    const record = Buffer.concat([Buffer.from([type, authority]), u64(at)]);
    at += bodies[index]?.length ?? 0;
    return record;
  });
  const registry = [Uint8Array.of(4), u32(plugins.length), ...records, u32(0)];
  return Buffer.concat([base, Uint8Array.of(3), u64(at), ...bodies, ...registry]);
};

/** An asset of owner 7; in a collection, or without an update authority. */
export const assetData = (
  collection: Uint8Array | null,
  plugins: readonly Plugin[] = [],
  uri = "uri\0\0",
): Uint8Array => {
  const updateAuthority =
    collection === null ? Uint8Array.of(0) : Buffer.concat([Uint8Array.of(2), collection]);
  const base = [Uint8Array.of(1), key(7), updateAuthority, text("Name"), text(uri), Uint8Array.of(0)];
  return withPlugins(Buffer.concat(base), plugins);
};

export const collectionData = (
  minted: number,
  plugins: readonly Plugin[] = [],
  authority = key(9),
): Uint8Array =>
  withPlugins(
    Buffer.concat([Uint8Array.of(5), authority, text("Family"), text(""), u32(minted), u32(minted)]),
    plugins,
  );

/** A group of update authority 9 that lists these assets as its members. */
export const groupData = (assets: readonly Uint8Array[], parents: readonly Uint8Array[] = []): Uint8Array => {
  const lists = [[], [], parents, assets].flatMap((list) => [u32(list.length), ...list]);
  return Buffer.concat([Uint8Array.of(6), key(9), text("Group"), text("uri"), ...lists]);
};

/** The Groups plugin, which only the group instructions of the program write. */
export const memberOfGroups = (groups: readonly Uint8Array[]): Plugin => ({
  type: 18,
  payload: Buffer.concat([u32(groups.length), ...groups]),
});

export const coreAccount = (address: Uint8Array, data: Uint8Array, more: Partial<Account> = {}): Account => ({
  address,
  programOwner: programAddresses.mplCore,
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot: 5,
  writeVersion: 0,
  ...more,
});
