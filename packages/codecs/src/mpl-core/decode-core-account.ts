// Accounts of MPL Core: assets, collections and groups, each one account with its plugins behind it.

import { BorshReader } from "../borsh/borsh-reader.ts";
import { orNull } from "../borsh/or-null.ts";
import { type PluginArea, readPluginArea } from "./plugin-area.ts";

/**
 * The authority that may change an asset. `collection` is also what makes it a (verified) member of that collection.
 */
export type CoreUpdateAuthority =
  | { readonly kind: "none" }
  | { readonly kind: "address"; readonly address: Uint8Array }
  | { readonly kind: "collection"; readonly collection: Uint8Array };

export interface CoreAsset extends PluginArea {
  readonly kind: "asset";
  readonly assetOwner: Uint8Array;
  readonly updateAuthority: CoreUpdateAuthority;
  readonly name: string;
  readonly uri: string;
  /** Used by compressed assets only. */
  readonly seq: bigint | null;
}

export interface CoreCollection extends PluginArea {
  readonly kind: "collection";
  readonly updateAuthority: Uint8Array;
  readonly name: string;
  readonly uri: string;
  /** All ever minted. */
  readonly numMinted: number;
  /** Those existing. */
  readonly currentSize: number;
}

/**
 * Collections, groups and assets gathered under one authority. The lists are the group's side only: an asset or a
 * collection belongs to it where its own Groups plugin names the group.
 */
export interface CoreGroup {
  readonly kind: "group";
  readonly updateAuthority: Uint8Array;
  readonly name: string;
  readonly uri: string;
  readonly collections: readonly Uint8Array[];
  readonly groups: readonly Uint8Array[];
  readonly parentGroups: readonly Uint8Array[];
  readonly assets: readonly Uint8Array[];
}

export type CoreAccount =
  | CoreAsset
  | CoreCollection
  /** Burning leaves this behind: one zero byte and a little rent. */
  | { readonly kind: "burnt" }
  /** A compressed asset of Core's own making (not Bubblegum); practically unused. */
  | { readonly kind: "hashedAsset"; readonly hash: Uint8Array }
  | CoreGroup;

const accountKey = { uninitialized: 0, asset: 1, hashedAsset: 2, collection: 5, group: 6 } as const;

/**
 * Decodes an account owned by Core. Null when the base record is not one of Core's or is cut off; damage behind it
 * costs only the plugins it touches (see `PluginArea`). Byte fields are views into `data`.
 */
export const decodeCoreAccount = (data: Uint8Array): CoreAccount | null =>
  orNull(() => readCoreAccount(data));

const readCoreAccount = (data: Uint8Array): CoreAccount | null => {
  const reader = new BorshReader("Core account", data, 1);
  switch (data[0] ?? accountKey.uninitialized) {
    case accountKey.uninitialized:
      return { kind: "burnt" };
    case accountKey.asset:
      return readAsset(data, reader);
    case accountKey.hashedAsset:
      return { kind: "hashedAsset", hash: reader.key() };
    case accountKey.collection:
      return readCollection(data, reader);
    case accountKey.group:
      return readGroup(reader);
    default:
      return null;
  }
};

const readAsset = (data: Uint8Array, reader: BorshReader): CoreAsset => ({
  kind: "asset",
  assetOwner: reader.key(),
  updateAuthority: readUpdateAuthority(reader),
  name: reader.text(),
  uri: reader.text(),
  seq: reader.option(() => reader.u64()),
  ...readPluginArea(data, reader.offset),
});

const readCollection = (data: Uint8Array, reader: BorshReader): CoreCollection => ({
  kind: "collection",
  updateAuthority: reader.key(),
  name: reader.text(),
  uri: reader.text(),
  numMinted: reader.u32(),
  currentSize: reader.u32(),
  ...readPluginArea(data, reader.offset),
});

const readGroup = (reader: BorshReader): CoreGroup => {
  const addresses = () => reader.list(32, () => reader.key());
  return {
    kind: "group",
    updateAuthority: reader.key(),
    name: reader.text(),
    uri: reader.text(),
    collections: addresses(),
    groups: addresses(),
    parentGroups: addresses(),
    assets: addresses(),
  };
};

const readUpdateAuthority = (reader: BorshReader): CoreUpdateAuthority => {
  const kind = reader.u8();
  if (kind === 1) return { kind: "address", address: reader.key() };
  if (kind === 2) return { kind: "collection", collection: reader.key() };
  return kind === 0 ? { kind: "none" } : reader.fail(`update authority kind ${kind} is unknown`);
};
