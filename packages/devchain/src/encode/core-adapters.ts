// External plugin adapters of MPL Core, as they lie in an account.

import type { ExternalAdapter, ExtraAccount, LifecycleCheck, PluginAuthority, Seed } from "@lamplight/codecs";
import type { ByteWriter } from "./byte-writer.ts";

export interface CoreAdapterFields {
  readonly adapter: ExternalAdapter;
  readonly authority: PluginAuthority;
  readonly lifecycleChecks: readonly LifecycleCheck[] | null;
  /** Data of an app data or data section adapter; null = the adapter keeps none. */
  readonly data: Uint8Array | null;
}

/** Kinds of adapters, indexed by type number. */
export const adapterTypes: readonly ExternalAdapter["kind"][] = [
  "lifecycleHook",
  "oracle",
  "appData",
  "linkedLifecycleHook",
  "linkedAppData",
  "dataSection",
  "agentIdentity",
];

/** Writes the type byte, then the fields of the adapter. */
export const writeAdapter = (writer: ByteWriter, adapter: ExternalAdapter): ByteWriter => {
  writer.u8(adapterTypes.indexOf(adapter.kind));
  switch (adapter.kind) {
    case "lifecycleHook":
    case "linkedLifecycleHook":
      writer.bytes(adapter.hookedProgram);
      writer.option(adapter.extraAccounts, (accounts, to) => {
        to.u32(accounts.length);
        for (const account of accounts) writeExtraAccount(to, account);
      });
      writer.option(adapter.dataAuthority, (authority) => writeAuthority(writer, authority));
      return writer.u8(schemas.indexOf(adapter.schema));
    case "oracle":
      writer
        .bytes(adapter.baseAddress)
        .option(adapter.baseAddressConfig, (account) => writeExtraAccount(writer, account));
      writer.u8(["none", "anchor", "custom"].indexOf(adapter.resultsOffset.kind));
      return adapter.resultsOffset.kind === "custom" ? writer.u64(adapter.resultsOffset.offset) : writer;
    case "appData":
    case "linkedAppData":
      return writeAuthority(writer, adapter.dataAuthority).u8(schemas.indexOf(adapter.schema));
    case "dataSection":
      if (adapter.parent.kind === "linkedLifecycleHook") writer.u8(0).bytes(adapter.parent.program);
      else writeAuthority(writer.u8(1), adapter.parent.dataAuthority);
      return writer.u8(schemas.indexOf(adapter.schema));
    case "agentIdentity":
      return writer.text(adapter.uri);
    default:
      return adapter satisfies never;
  }
};

const schemas = ["binary", "json", "msgPack"];
const authorities = ["none", "owner", "updateAuthority", "address"];

export const writeAuthority = (writer: ByteWriter, authority: PluginAuthority): ByteWriter => {
  writer.u8(authorities.indexOf(authority.kind));
  return authority.kind === "address" ? writer.bytes(authority.address) : writer;
};

const extraAccounts = [
  "preconfiguredProgram",
  "preconfiguredCollection",
  "preconfiguredOwner",
  "preconfiguredRecipient",
  "preconfiguredAsset",
  "customPda",
  "address",
];

const writeExtraAccount = (writer: ByteWriter, account: ExtraAccount): ByteWriter => {
  writer.u8(extraAccounts.indexOf(account.kind));
  if (account.kind === "customPda") {
    writer.u32(account.seeds.length);
    for (const seed of account.seeds) writeSeed(writer, seed);
    writer.option(account.customProgram, (program, to) => to.bytes(program));
  }
  if (account.kind === "address") writer.bytes(account.address);
  return writer.u8(account.isSigner).u8(account.isWritable);
};

const seeds = ["collection", "owner", "recipient", "asset", "address", "bytes"];

const writeSeed = (writer: ByteWriter, seed: Seed): ByteWriter => {
  writer.u8(seeds.indexOf(seed.kind));
  if (seed.kind === "address") return writer.bytes(seed.address);
  return seed.kind === "bytes" ? writer.u32(seed.bytes.length).bytes(seed.bytes) : writer;
};
