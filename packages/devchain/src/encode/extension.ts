import { extensionLayouts, type FieldKind, type FixedExtensionName } from "@lamplight/codecs";
import { brokenInvariant } from "@lamplight/errors";
import { ByteWriter } from "./byte-writer.ts";

/** Input for a field of an extension. A field that is not given is zero, or none. */
export type ExtensionField =
  | Uint8Array
  | bigint
  | number
  | boolean
  | null
  | {
      readonly epoch: bigint | number;
      readonly maximumFee: bigint | number;
      readonly transferFeeBasisPoints: number;
    };

export type ExtensionFields = Readonly<Record<string, ExtensionField | undefined>>;

const sizes: Partial<Record<FieldKind, number>> = {
  key: 32,
  optionalKey: 32,
  bytes32: 32,
  optionalBytes32: 32,
  bytes36: 36,
  bytes64: 64,
};

/** The value of an extension of fixed size, its fields in the order of the layout. */
export const encodeExtensionValue = (name: FixedExtensionName, given: ExtensionFields): Uint8Array => {
  const fields: Readonly<Record<string, FieldKind>> = extensionLayouts[name].fields ?? {};
  const writer = new ByteWriter();
  for (const [field, kind] of Object.entries(fields)) writeField(writer, kind, given[field] ?? null);
  return writer.finish();
};

const writeField = (writer: ByteWriter, kind: FieldKind, value: ExtensionField): void => {
  const size = sizes[kind];
  if (size !== undefined) {
    const bytes = value instanceof Uint8Array ? value : new Uint8Array(0);
    writer.bytes(bytes.subarray(0, size)).zeros(size - Math.min(size, bytes.length));
    return;
  }
  const number = typeof value === "bigint" || typeof value === "number" ? value : 0;
  switch (kind) {
    case "bool":
      writer.u8(value === true);
      return;
    case "accountState":
      writer.u8(Number(number));
      return;
    case "i16":
      writer.i16(Number(number));
      return;
    case "u64":
      writer.u64(number);
      return;
    case "i64":
      writer.i64(number);
      return;
    case "f64":
      writer.f64(Number(number));
      return;
    case "transferFee": {
      const fee = value as { epoch: bigint; maximumFee: bigint; transferFeeBasisPoints: number } | null;
      writer
        .u64(fee?.epoch ?? 0)
        .u64(fee?.maximumFee ?? 0)
        .u16(fee?.transferFeeBasisPoints ?? 0);
      return;
    }
    default:
      throw brokenInvariant(`an extension field of kind ${kind}`);
  }
};
