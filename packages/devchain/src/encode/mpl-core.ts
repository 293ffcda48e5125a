// MPL Core accounts: a base record, the plugins behind it, and a registry of where each stands.

import type { CorePluginData, PluginAuthority } from "@lamplight/codecs";
import { ByteWriter } from "./byte-writer.ts";
import { adapterTypes, type CoreAdapterFields, writeAdapter, writeAuthority } from "./core-adapters.ts";

export interface CorePluginFields {
  readonly data: CorePluginData;
  readonly authority: PluginAuthority;
}

export type CoreUpdateAuthority =
  | { readonly kind: "none" }
  | { readonly kind: "address" | "collection"; readonly address: Uint8Array };

export interface CoreAssetFields {
  readonly assetOwner: Uint8Array;
  readonly updateAuthority: CoreUpdateAuthority;
  readonly name: string;
  readonly uri: string;
  readonly plugins: readonly CorePluginFields[];
  readonly adapters: readonly CoreAdapterFields[];
}

export interface CoreCollectionFields {
  readonly updateAuthority: Uint8Array;
  readonly name: string;
  readonly uri: string;
  readonly numMinted: number;
  readonly currentSize: number;
  readonly plugins: readonly CorePluginFields[];
  readonly adapters: readonly CoreAdapterFields[];
}

const authorityKinds = { none: 0, address: 1, collection: 2 } as const;

export const encodeCoreAsset = (asset: CoreAssetFields): Uint8Array => {
  const writer = new ByteWriter().u8(1).bytes(asset.assetOwner);
  writer.u8(authorityKinds[asset.updateAuthority.kind]);
  if (asset.updateAuthority.kind !== "none") writer.bytes(asset.updateAuthority.address);
  const base = writer.text(asset.name).text(asset.uri).u8(false).finish();
  return withPlugins(base, asset.plugins, asset.adapters);
};

export const encodeCoreCollection = (collection: CoreCollectionFields): Uint8Array => {
  const { updateAuthority, name, uri, numMinted, currentSize, plugins, adapters } = collection;
  const base = new ByteWriter().u8(5).bytes(updateAuthority).text(name).text(uri);
  return withPlugins(base.u32(numMinted).u32(currentSize).finish(), plugins, adapters);
};

/** A group lists its members; each member names the group in its own Groups plugin. */
export const encodeCoreGroup = (
  updateAuthority: Uint8Array,
  name: string,
  uri: string,
  assets: readonly Uint8Array[],
): Uint8Array => {
  const writer = new ByteWriter().u8(6).bytes(updateAuthority).text(name).text(uri);
  writer.u32(0).u32(0).u32(0);
  return writeKeys(writer, assets).finish();
};

/** The data of an account that was burnt. */
export const burntCoreAsset: Uint8Array = Uint8Array.of(0);

const HEADER_BYTES = 9;

const withPlugins = (
  base: Uint8Array,
  plugins: readonly CorePluginFields[],
  adapters: readonly CoreAdapterFields[],
): Uint8Array => {
  if (plugins.length + adapters.length === 0) return base;
  const body = new ByteWriter();
  const start = base.length + HEADER_BYTES;
  const records = new ByteWriter().u32(plugins.length);
  for (const { authority, data } of plugins) {
    writeAuthority(records.u8(pluginTypes.indexOf(data.kind)), authority).u64(start + body.length);
    body.bytes(encodePlugin(data));
  }
  records.u32(adapters.length);
  for (const fields of adapters) writeAdapterRecord(records, body, start, fields);
  const registryOffset = start + body.length;
  const writer = new ByteWriter().bytes(base).u8(3).u64(registryOffset).bytes(body.finish());
  return writer.u8(4).bytes(records.finish()).finish();
};

/** The adapter and, directly behind it, its data. */
const writeAdapterRecord = (
  records: ByteWriter,
  body: ByteWriter,
  start: number,
  { adapter, authority, lifecycleChecks, data }: CoreAdapterFields,
): void => {
  writeAuthority(records.u8(adapterTypes.indexOf(adapter.kind)), authority);
  records.option(lifecycleChecks, (checks, to) => {
    to.u32(checks.length);
    for (const { event, flags } of checks) to.u8(event).u32(flags);
  });
  records.u64(start + body.length);
  writeAdapter(body, adapter);
  const dataStart = data === null ? null : start + body.length;
  const dataLength = data === null ? null : data.length;
  records
    .option(dataStart, (offset, to) => to.u64(offset))
    .option(dataLength, (length, to) => to.u64(length));
  if (data !== null) body.bytes(data);
};

/** Kinds of plugins, indexed by type number. */
const pluginTypes: readonly CorePluginData["kind"][] = [
  "royalties",
  "freezeDelegate",
  "burnDelegate",
  "transferDelegate",
  "updateDelegate",
  "permanentFreezeDelegate",
  "attributes",
  "permanentTransferDelegate",
  "permanentBurnDelegate",
  "edition",
  "masterEdition",
  "addBlocker",
  "immutableMetadata",
  "verifiedCreators",
  "autograph",
  "bubblegumV2",
  "freezeExecute",
  "permanentFreezeExecute",
  "groups",
];

export const isCorePluginKind = (kind: string): kind is CorePluginData["kind"] =>
  (pluginTypes as readonly string[]).includes(kind);

const writeKeys = (writer: ByteWriter, keys: readonly Uint8Array[]): ByteWriter => {
  writer.u32(keys.length);
  for (const key of keys) writer.bytes(key);
  return writer;
};

const encodePlugin = (plugin: CorePluginData): Uint8Array => {
  const writer = new ByteWriter().u8(pluginTypes.indexOf(plugin.kind));
  switch (plugin.kind) {
    case "royalties": {
      writer.u16(plugin.basisPoints).u32(plugin.creators.length);
      for (const { address, percentage } of plugin.creators) writer.bytes(address).u8(percentage);
      const { ruleSet } = plugin;
      writer.u8(["none", "programAllowList", "programDenyList"].indexOf(ruleSet.kind));
      if (ruleSet.kind !== "none") writeKeys(writer, ruleSet.programs);
      break;
    }
    case "freezeDelegate":
    case "permanentFreezeDelegate":
    case "freezeExecute":
    case "permanentFreezeExecute":
      writer.u8(plugin.frozen);
      break;
    case "updateDelegate":
      writeKeys(writer, plugin.additionalDelegates);
      break;
    case "attributes":
      writer.u32(plugin.attributeList.length);
      for (const { key, value } of plugin.attributeList) writer.text(key).text(value);
      break;
    case "edition":
      writer.u32(plugin.number);
      break;
    case "masterEdition":
      writer.option(plugin.maxSupply, (supply, to) => to.u32(supply));
      writer.option(plugin.name, (name, to) => to.text(name)).option(plugin.uri, (uri, to) => to.text(uri));
      break;
    case "verifiedCreators":
      writer.u32(plugin.signatures.length);
      for (const { address, verified } of plugin.signatures) writer.bytes(address).u8(verified);
      break;
    case "autograph":
      writer.u32(plugin.signatures.length);
      for (const { address, message } of plugin.signatures) writer.bytes(address).text(message);
      break;
    case "groups":
      writeKeys(writer, plugin.groups);
      break;
    default:
      break;
  }
  return writer.finish();
};
