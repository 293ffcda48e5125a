// External plugin adapters: plugins whose rules or data belong to someone else. Type numbers are the indexes of `readers`.

import type { BorshReader } from "../borsh/borsh-reader.ts";
import { type PluginAuthority, readPluginAuthority } from "./plugin-authority.ts";

/** The format of an adapter's data. */
export type AdapterSchema = "binary" | "json" | "msgPack";

export type Seed =
  | { readonly kind: "collection" | "owner" | "recipient" | "asset" }
  | { readonly kind: "address"; readonly address: Uint8Array }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

interface AccountUse {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** An account that a hook or an oracle needs passed along. */
export type ExtraAccount = AccountUse &
  (
    | {
        readonly kind:
          | "preconfiguredProgram"
          | "preconfiguredCollection"
          | "preconfiguredOwner"
          | "preconfiguredRecipient"
          | "preconfiguredAsset";
      }
    | {
        readonly kind: "customPda";
        readonly seeds: readonly Seed[];
        /** Null = the hooked program or the oracle's base address. */
        readonly customProgram: Uint8Array | null;
      }
    | { readonly kind: "address"; readonly address: Uint8Array }
  );

export interface LifecycleHookConfig {
  readonly hookedProgram: Uint8Array;
  readonly extraAccounts: readonly ExtraAccount[] | null;
  readonly dataAuthority: PluginAuthority | null;
  readonly schema: AdapterSchema;
}

export interface AppDataConfig {
  readonly dataAuthority: PluginAuthority;
  readonly schema: AdapterSchema;
}

export type ResultsOffset =
  | { readonly kind: "none" | "anchor" }
  | { readonly kind: "custom"; readonly offset: bigint };

/** The linked adapter of the collection that a data section belongs to. */
export type DataSectionParent =
  | { readonly kind: "linkedLifecycleHook"; readonly program: Uint8Array }
  | { readonly kind: "linkedAppData"; readonly dataAuthority: PluginAuthority };

export type ExternalAdapter =
  | ({ readonly kind: "lifecycleHook" } & LifecycleHookConfig)
  | {
      readonly kind: "oracle";
      readonly baseAddress: Uint8Array;
      readonly baseAddressConfig: ExtraAccount | null;
      readonly resultsOffset: ResultsOffset;
    }
  | ({ readonly kind: "appData" } & AppDataConfig)
  | ({ readonly kind: "linkedLifecycleHook" } & LifecycleHookConfig)
  | ({ readonly kind: "linkedAppData" } & AppDataConfig)
  | { readonly kind: "dataSection"; readonly parent: DataSectionParent; readonly schema: AdapterSchema }
  | { readonly kind: "agentIdentity"; readonly uri: string };

/** The adapter of that type number at the reader, behind its repeated type byte; null for a type not known here. */
export const readExternalAdapter = (type: number, reader: BorshReader): ExternalAdapter | null =>
  readers[type]?.(reader) ?? null;

const schemas: readonly AdapterSchema[] = ["binary", "json", "msgPack"];

const readSchema = (reader: BorshReader): AdapterSchema =>
  schemas[reader.u8()] ?? reader.fail("the schema is unknown");

const fixedSeeds = ["collection", "owner", "recipient", "asset"] as const;

const readSeed = (reader: BorshReader): Seed => {
  const kind = reader.u8();
  if (kind === 4) return { kind: "address", address: reader.key() };
  if (kind === 5) return { kind: "bytes", bytes: reader.bytes(reader.u32()) };
  return { kind: fixedSeeds[kind] ?? reader.fail(`seed kind ${kind} is unknown`) };
};

const preconfigured = [
  "preconfiguredProgram",
  "preconfiguredCollection",
  "preconfiguredOwner",
  "preconfiguredRecipient",
  "preconfiguredAsset",
] as const;
const EXTRA_ACCOUNT_BYTES_MIN = 3;

const readAccountUse = (reader: BorshReader): AccountUse => ({
  isSigner: reader.bool(),
  isWritable: reader.bool(),
});

const readExtraAccount = (reader: BorshReader): ExtraAccount => {
  const kind = reader.u8();
  if (kind === 5) {
    const seeds = reader.list(1, () => readSeed(reader));
    const customProgram = reader.option(() => reader.key());
    return { kind: "customPda", seeds, customProgram, ...readAccountUse(reader) };
  }
  if (kind === 6) return { kind: "address", address: reader.key(), ...readAccountUse(reader) };
  const name = preconfigured[kind] ?? reader.fail(`extra account kind ${kind} is unknown`);
  return { kind: name, ...readAccountUse(reader) };
};

const readLifecycleHook = (reader: BorshReader): LifecycleHookConfig => ({
  hookedProgram: reader.key(),
  extraAccounts: reader.option(() => reader.list(EXTRA_ACCOUNT_BYTES_MIN, () => readExtraAccount(reader))),
  dataAuthority: reader.option(() => readPluginAuthority(reader)),
  schema: readSchema(reader),
});

const readAppData = (reader: BorshReader): AppDataConfig => ({
  dataAuthority: readPluginAuthority(reader),
  schema: readSchema(reader),
});

const readResultsOffset = (reader: BorshReader): ResultsOffset => {
  const kind = reader.u8();
  if (kind === 2) return { kind: "custom", offset: reader.u64() };
  if (kind === 1) return { kind: "anchor" };
  return kind === 0 ? { kind: "none" } : reader.fail(`results offset kind ${kind} is unknown`);
};

const readParent = (reader: BorshReader): DataSectionParent => {
  const kind = reader.u8();
  if (kind === 0) return { kind: "linkedLifecycleHook", program: reader.key() };
  if (kind === 1) return { kind: "linkedAppData", dataAuthority: readPluginAuthority(reader) };
  return reader.fail(`data section parent kind ${kind} is unknown`);
};

const readers: readonly ((reader: BorshReader) => ExternalAdapter)[] = [
  (reader) => ({ kind: "lifecycleHook", ...readLifecycleHook(reader) }),
  (reader) => ({
    kind: "oracle",
    baseAddress: reader.key(),
    baseAddressConfig: reader.option(() => readExtraAccount(reader)),
    resultsOffset: readResultsOffset(reader),
  }),
  (reader) => ({ kind: "appData", ...readAppData(reader) }),
  (reader) => ({ kind: "linkedLifecycleHook", ...readLifecycleHook(reader) }),
  (reader) => ({ kind: "linkedAppData", ...readAppData(reader) }),
  (reader) => ({ kind: "dataSection", parent: readParent(reader), schema: readSchema(reader) }),
  (reader) => ({ kind: "agentIdentity", uri: reader.text() }),
];
