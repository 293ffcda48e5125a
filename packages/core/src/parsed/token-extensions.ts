import {
  encodeAddress,
  type ExtensionHost,
  type ExtensionLayout,
  extensionLayouts,
  type ExtensionName,
  type FieldKind,
  findExtension,
  findTokenMetadata,
  listExtensions,
  type TransferFee,
} from "@lamplight/codecs";
import { floatDisplayText } from "../json/float-text.ts";
import type { JsonValue } from "../json/json-text.ts";
import { addressOrNull, base64Text } from "./parsed-json.ts";

const unparseable: JsonValue = { extension: "unparseableExtension" };

/**
 * The `extensions` member in stored order; `undefined` when there is none to show. An extension that is there twice
 * is shown twice, both times as the first one; each name is decoded once, however often it is listed.
 */
export const shapeExtensions = (
  region: Uint8Array,
  host: ExtensionHost,
): readonly JsonValue[] | undefined => {
  const names = listExtensions(region);
  if (names === null || names.length === 0) return undefined;
  const shaped = new Map<ExtensionName, JsonValue>();
  return names.map((name) => {
    const known = shaped.get(name) ?? shapeExtension(region, name, host);
    shaped.set(name, known);
    return known;
  });
};

const shapeExtension = (region: Uint8Array, name: ExtensionName, host: ExtensionHost): JsonValue => {
  if (name === "tokenMetadata") return shapeTokenMetadata(region, host);
  const layout: ExtensionLayout = extensionLayouts[name];
  // A marker is shown regardless of its length and wherever it stands.
  if (layout.fields === null) return { extension: name };
  const values: Readonly<Record<string, unknown>> | null = findExtension(region, name, host);
  if (values === null) return unparseable;
  const state: Record<string, JsonValue> = {};
  for (const field of sortedFields.get(name) ?? []) {
    state[field] = shapeField(layout.fields[field] as FieldKind, values[field]);
  }
  return { extension: name, state };
};

const shapeTokenMetadata = (region: Uint8Array, host: ExtensionHost): JsonValue => {
  const metadata = host === "mint" ? findTokenMetadata(region) : null;
  if (metadata === null) return unparseable;
  const state = {
    additionalMetadata: metadata.additionalMetadata,
    mint: encodeAddress(metadata.mint),
    name: metadata.name,
    symbol: metadata.symbol,
    updateAuthority: addressOrNull(metadata.updateAuthority),
    uri: metadata.uri,
  };
  return { extension: "tokenMetadata", state };
};

/** Members go out sorted by their bytes; names are ASCII, so the default order is that. */
const sortedFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<ExtensionLayout>(extensionLayouts).map(([name, { fields }]) => [
    name,
    Object.keys(fields ?? {}).toSorted(),
  ]),
);

const shapeField = (kind: FieldKind, value: unknown): JsonValue => {
  switch (kind) {
    case "key":
    case "optionalKey":
      return addressOrNull(value as Uint8Array | null);
    case "bytes32":
    case "bytes36":
    case "bytes64":
      return base64Text(value as Uint8Array);
    case "optionalBytes32":
      return value === null ? null : base64Text(value as Uint8Array);
    case "bool":
    case "i16":
    case "u64":
    case "i64":
    case "accountState":
      return value as JsonValue;
    case "f64":
      return floatDisplayText(value as number);
    case "transferFee":
      return shapeTransferFee(value as TransferFee);
    default:
      return kind satisfies never;
  }
};

const shapeTransferFee = (fee: TransferFee): JsonValue => ({
  epoch: fee.epoch,
  maximumFee: fee.maximumFee,
  transferFeeBasisPoints: fee.transferFeeBasisPoints,
});
