// Extensions of a Token-2022 mint for asset documents. Unlike in jsonParsed, an unknown or broken entry hides only
// itself: an asset keeps its name regardless of what else its mint carries. If a type has several entries, the first
// one counts, as it does for the token program.

import {
  decodeExtension,
  decodeTokenMetadata,
  encodeBase58,
  type Extension,
  extensionLayouts,
  type FixedExtensionName,
  type TokenMetadataExtension,
} from "@lamplight/codecs";
import type { AddressBytes, JsonValue } from "@lamplight/core";
import type { JsonMembers } from "../../record/asset-record.ts";

export interface MintExtensions {
  /** The address in the mint's metadata pointer; null when it has no pointer or an empty one. */
  readonly metadataAddress: AddressBytes | null;
  readonly metadata: TokenMetadataExtension | null;
  /** The extension member `mint_extensions` of the document; null when the mint has none that it shows. */
  readonly shown: JsonMembers | null;
}

const METADATA_TYPE = 19;
const HEADER_BYTES = 4;
const fixedNames: ReadonlyMap<number, FixedExtensionName> = new Map(
  (Object.keys(extensionLayouts) as FixedExtensionName[]).map((name) => [extensionLayouts[name].type, name]),
);

/** Reads the extension region of a mint (`Mint.extensions`). It never throws. */
export const readMintExtensions = (region: Uint8Array): MintExtensions => {
  const shown: Record<string, JsonValue> = {};
  let metadata: TokenMetadataExtension | null = null;
  let metadataAddress: AddressBytes | null = null;
  const seen = new Set<number>();
  for (const { type, value } of entries(region)) {
    if (seen.has(type)) continue;
    seen.add(type);
    if (type === METADATA_TYPE) {
      metadata = decodeTokenMetadata(value);
      if (metadata !== null) shown["metadata"] = shapeMetadata(metadata);
      continue;
    }
    const name = fixedNames.get(type);
    if (name === undefined) continue;
    if (name === "metadataPointer") {
      const pointer = decodeExtension(name, value);
      metadataAddress = pointer?.metadataAddress ?? null;
      // It shows where it points, not who may turn it.
      if (pointer !== null) shown["metadata_pointer"] = { metadata_address: shapeField(metadataAddress) };
      continue;
    }
    const shaped = shapes[name]?.(value) ?? null;
    if (shaped !== null) shown[snakeCase(name)] = shaped;
  }
  return { metadata, metadataAddress, shown: Object.keys(shown).length === 0 ? null : shown };
};

const entries = function* (
  region: Uint8Array,
): Generator<{ readonly type: number; readonly value: Uint8Array }> {
  const view = new DataView(region.buffer, region.byteOffset, region.byteLength);
  let offset = 0;
  while (offset + HEADER_BYTES <= region.length) {
    const type = view.getUint16(offset, true);
    const end = offset + HEADER_BYTES + view.getUint16(offset + 2, true);
    if (type === 0 || end > region.length) return;
    yield { type, value: region.subarray(offset + HEADER_BYTES, end) };
    offset = end;
  }
};

type Shape = (value: Uint8Array) => JsonValue | null;

/** Members are the layout's fields, in snake case. */
const allFields =
  (name: FixedExtensionName): Shape =>
  (value) =>
    shapeFields(decodeExtension(name, value));

const someFields =
  <Name extends FixedExtensionName>(name: Name, pick: (extension: Extension<Name>) => object): Shape =>
  (value) => {
    const extension = decodeExtension(name, value);
    return extension === null ? null : shapeFields(pick(extension));
  };

const marker: Shape = () => true;

const accountStates = ["uninitialized", "initialized", "frozen"];

/** Extensions that asset readers show, under the names they know; everything else stays hidden. */
const shapes: Partial<Record<FixedExtensionName, Shape>> = {
  transferFeeConfig: allFields("transferFeeConfig"),
  mintCloseAuthority: allFields("mintCloseAuthority"),
  confidentialTransferMint: allFields("confidentialTransferMint"),
  defaultAccountState: someFields("defaultAccountState", ({ accountState }) => ({
    state: accountStates.indexOf(accountState),
  })),
  nonTransferable: marker,
  interestBearingConfig: allFields("interestBearingConfig"),
  permanentDelegate: allFields("permanentDelegate"),
  transferHook: allFields("transferHook"),
  confidentialTransferFeeConfig: allFields("confidentialTransferFeeConfig"),
  // Like the metadata pointer.
  groupPointer: someFields("groupPointer", ({ groupAddress }) => ({ groupAddress })),
  groupMemberPointer: someFields("groupMemberPointer", ({ memberAddress }) => ({ memberAddress })),
  tokenGroup: (value) => shapeFields(decodeExtension("tokenGroup", widen(value, groupCountersAt))),
  tokenGroupMember: (value) => shapeFields(decodeExtension("tokenGroupMember", widen(value, memberNumberAt))),
};

const groupCountersAt = [64, 68];
const memberNumberAt = [64];

/** The older forms of groups and members (72 and 68 bytes) count in u32: the same record with wider counters. */
const widen = (value: Uint8Array, countersAt: readonly number[]): Uint8Array => {
  const start = countersAt[0] as number;
  if (value.length !== start + countersAt.length * 4) return value;
  const wide = new Uint8Array(start + countersAt.length * 8);
  wide.set(value.subarray(0, start));
  for (const [index, at] of countersAt.entries()) wide.set(value.subarray(at, at + 4), start + index * 8);
  return wide;
};

const shapeFields = (fields: object | null): JsonValue | null => {
  if (fields === null) return null;
  const shaped: Record<string, JsonValue> = {};
  for (const name of Object.keys(fields))
    shaped[snakeCase(name)] = shapeField((fields as Readonly<Record<string, unknown>>)[name]);
  return shaped;
};

const shapeField = (value: unknown): JsonValue => {
  if (value instanceof Uint8Array) return encodeBase58(value);
  return typeof value === "object" && value !== null ? shapeFields(value) : (value as JsonValue);
};

const shapeMetadata = ({
  updateAuthority,
  mint,
  name,
  symbol,
  uri,
  additionalMetadata,
}: TokenMetadataExtension) => ({
  update_authority: updateAuthority === null ? null : encodeBase58(updateAuthority),
  mint: encodeBase58(mint),
  name,
  symbol,
  uri,
  additional_metadata: additionalMetadata,
});

/** Names of fields of our own layouts: there are only so many. */
const snakeNames = new Map<string, string>();

const snakeCase = (name: string): string => {
  const known = snakeNames.get(name);
  if (known !== undefined) return known;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(name, snake);
  return snake;
};
