// The plugins that live in Core itself; their type numbers are the indexes of `readers`.

import type { BorshReader } from "../borsh/borsh-reader.ts";

export type RoyaltyRuleSet =
  | { readonly kind: "none" }
  | { readonly kind: "programAllowList"; readonly programs: readonly Uint8Array[] }
  | { readonly kind: "programDenyList"; readonly programs: readonly Uint8Array[] };

export interface RoyaltyCreator {
  readonly address: Uint8Array;
  /** Percent, 0 to 100. */
  readonly percentage: number;
}

/** The content of a plugin, by `kind`; the kind's name is the program's own, in camelCase. */
export type CorePluginData =
  | {
      readonly kind: "royalties";
      readonly basisPoints: number;
      readonly creators: readonly RoyaltyCreator[];
      readonly ruleSet: RoyaltyRuleSet;
    }
  | { readonly kind: "freezeDelegate"; readonly frozen: boolean }
  | { readonly kind: "burnDelegate" }
  | { readonly kind: "transferDelegate" }
  | { readonly kind: "updateDelegate"; readonly additionalDelegates: readonly Uint8Array[] }
  | { readonly kind: "permanentFreezeDelegate"; readonly frozen: boolean }
  | {
      readonly kind: "attributes";
      readonly attributeList: readonly { readonly key: string; readonly value: string }[];
    }
  | { readonly kind: "permanentTransferDelegate" }
  | { readonly kind: "permanentBurnDelegate" }
  | { readonly kind: "edition"; readonly number: number }
  | {
      readonly kind: "masterEdition";
      /** Null = unlimited. */
      readonly maxSupply: number | null;
      readonly name: string | null;
      readonly uri: string | null;
    }
  | { readonly kind: "addBlocker" }
  | { readonly kind: "immutableMetadata" }
  | {
      readonly kind: "verifiedCreators";
      readonly signatures: readonly { readonly address: Uint8Array; readonly verified: boolean }[];
    }
  | {
      readonly kind: "autograph";
      readonly signatures: readonly { readonly address: Uint8Array; readonly message: string }[];
    }
  | { readonly kind: "bubblegumV2" }
  | { readonly kind: "freezeExecute"; readonly frozen: boolean }
  | { readonly kind: "permanentFreezeExecute"; readonly frozen: boolean }
  | { readonly kind: "groups"; readonly groups: readonly Uint8Array[] };

export type CorePluginKind = CorePluginData["kind"];

/** The plugin of that type number at the reader, behind its repeated type byte; null for a type not known here. */
export const readPlugin = (type: number, reader: BorshReader): CorePluginData | null =>
  readers[type]?.(reader) ?? null;

const ADDRESS_BYTES = 32;
const TEXT_BYTES_MIN = 4;

const readAddresses = (reader: BorshReader): readonly Uint8Array[] =>
  reader.list(ADDRESS_BYTES, () => reader.key());

const readRuleSet = (reader: BorshReader): RoyaltyRuleSet => {
  const kind = reader.u8();
  if (kind === 1) return { kind: "programAllowList", programs: readAddresses(reader) };
  if (kind === 2) return { kind: "programDenyList", programs: readAddresses(reader) };
  return kind === 0 ? { kind: "none" } : reader.fail(`rule set kind ${kind} is unknown`);
};

const readers: readonly ((reader: BorshReader) => CorePluginData)[] = [
  (reader) => ({
    kind: "royalties",
    basisPoints: reader.u16(),
    creators: reader.list(ADDRESS_BYTES + 1, () => ({ address: reader.key(), percentage: reader.u8() })),
    ruleSet: readRuleSet(reader),
  }),
  (reader) => ({ kind: "freezeDelegate", frozen: reader.bool() }),
  () => ({ kind: "burnDelegate" }),
  () => ({ kind: "transferDelegate" }),
  (reader) => ({ kind: "updateDelegate", additionalDelegates: readAddresses(reader) }),
  (reader) => ({ kind: "permanentFreezeDelegate", frozen: reader.bool() }),
  (reader) => ({
    kind: "attributes",
    attributeList: reader.list(2 * TEXT_BYTES_MIN, () => ({ key: reader.text(), value: reader.text() })),
  }),
  () => ({ kind: "permanentTransferDelegate" }),
  () => ({ kind: "permanentBurnDelegate" }),
  (reader) => ({ kind: "edition", number: reader.u32() }),
  (reader) => ({
    kind: "masterEdition",
    maxSupply: reader.option(() => reader.u32()),
    name: reader.option(() => reader.text()),
    uri: reader.option(() => reader.text()),
  }),
  () => ({ kind: "addBlocker" }),
  () => ({ kind: "immutableMetadata" }),
  (reader) => ({
    kind: "verifiedCreators",
    signatures: reader.list(ADDRESS_BYTES + 1, () => ({ address: reader.key(), verified: reader.bool() })),
  }),
  (reader) => ({
    kind: "autograph",
    signatures: reader.list(ADDRESS_BYTES + TEXT_BYTES_MIN, () => ({
      address: reader.key(),
      message: reader.text(),
    })),
  }),
  () => ({ kind: "bubblegumV2" }),
  (reader) => ({ kind: "freezeExecute", frozen: reader.bool() }),
  (reader) => ({ kind: "permanentFreezeExecute", frozen: reader.bool() }),
  (reader) => ({ kind: "groups", groups: readAddresses(reader) }),
];
